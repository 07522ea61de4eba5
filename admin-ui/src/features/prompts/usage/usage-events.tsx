import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { When } from '../../../components/when.tsx';
import type { Usage } from '../prompt-queries.ts';
import classes from './usage-events.module.css';

type Event = Usage['events'][number];

const SHOWN = 5;

const SENTENCES: Readonly<Record<Event['type'], (event: Event) => string>> = {
  'prompt-created': ({ version }) => `Created with ${version}`,
  'prompt-deleted': () => 'Deleted',
  'prompt-restored': () => 'Restored',
  published: ({ version }) => `${version} published`,
  'version-deleted': ({ version }) => `${version} deleted`,
  'label-set': ({ label, from, to }) => `${label}: ${from ? `${from} → ${to}` : `set to ${to}`}`,
  'label-removed': ({ label, from }) => `${label} removed from ${from}`,
};

/** The changes of a prompt, latest first. */
export const UsageEvents = ({ events, title }: { events: readonly Event[]; title?: string }) => {
  const [all, setAll] = useState(false);
  if (events.length === 0) return null;
  return (
    <>
      {title && (
        <Text size="sm" fw={600} mt="sm">
          {title}
        </Text>
      )}
      <ul className={classes.list}>
        {events.slice(0, all ? events.length : SHOWN).map((event) => (
          <li
            key={`${event.at} ${event.type} ${event.version ?? event.label ?? ''}`}
            className={classes.item}
          >
            <span className={classes.when}>
              <When at={event.at} />
            </span>
            <span className="cv-break">{SENTENCES[event.type](event)}</span>
            <span className={classes.who}>{event.actor}</span>
          </li>
        ))}
      </ul>
      {events.length > SHOWN && !all && (
        <Button variant="subtle" size="compact-xs" onClick={() => setAll(true)}>
          Show all {events.length}
        </Button>
      )}
    </>
  );
};
