import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FirstFew, When } from '../../../components/basics.tsx';
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

/** The changes of a prompt, latest first. */
export const UsageEvents = ({ events, actions }: UsageEventsProps) => (
  <FirstFew className="cv-list" fz="sm" mt="0.25rem">
    {events.map((event) => (
      <Group
        component="li"
        key={`${event.at} ${event.type} ${event.version ?? event.label ?? ''}`}
        gap="0 0.9rem"
        py="0.12rem"
        align="stretch"
      >
        <Text span inherit c="dimmed" miw={{ base: '100%', sm: '11rem' }}>
          <When at={event.at} />
        </Text>
        <span className="cv-break">{sentenceOf(event)}</span>
        <Text span inherit c="dimmed">
          {event.actor}
        </Text>
        {actions?.(event)}
      </Group>
    ))}
  </FirstFew>
);
