import type { ReactNode } from 'react';
import { Muted, When } from '../../../components/basics.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import type { Usage } from '../prompt-queries.ts';

type Event = Usage['events'][number];

const SENTENCES: Readonly<Record<Event['type'], (event: Event) => string>> = {
  'prompt-created': ({ version }) => `Created with ${version}`,
  'prompt-deleted': () => 'Deleted',
  'prompt-restored': () => 'Restored',
  published: ({ version }) => `${version} published`,
  'version-deleted': ({ version }) => `${version} deleted`,
  'label-set': ({ label, from, to }) => `${label}: ${from ? `${from} → ${to}` : `set to ${to}`}`,
  'label-removed': ({ label, from }) => `${label} removed from ${from}`,
};

/** What happened, in a few words. */
export const sentenceOf = (event: Event): string => SENTENCES[event.type](event);

interface UsageEventsProps {
  events: readonly Event[];
  /** What can be done about a change, beside it. */
  actions?: (event: Event) => ReactNode;
}

const COLUMNS: readonly Column<Event>[] = [
  { title: 'Change', cell: sentenceOf },
  { title: 'Time', below: true, cell: ({ at }) => <When at={at} /> },
  { title: 'By', below: true, cell: ({ actor }) => actor },
];

/** The changes of a prompt, latest first. */
export const UsageEvents = ({ events, actions }: UsageEventsProps) =>
  events.length === 0 ? (
    <Muted>Nothing is recorded.</Muted>
  ) : (
    <DataTable
      label="Changes"
      columns={[...COLUMNS, ...(actions ? [{ title: 'Actions', cell: actions }] : [])]}
      rows={events}
      rowKey={({ at, type, version, label }) => `${at} ${type} ${version ?? label ?? ''}`}
    />
  );
