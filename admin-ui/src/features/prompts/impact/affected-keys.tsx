import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '../../../components/count.ts';
import { TextLink } from '../../../components/link.tsx';
import { When } from '../../../components/when.tsx';
import type { AffectedKey, Callers } from './impact.ts';
import classes from './impact-panel.module.css';

const SHOWN = 5;

interface AffectedKeysProps {
  readonly promptId: string;
  readonly keys: readonly AffectedKey[];
  /** Whether a change adds variables. */
  readonly hasNew: boolean;
}

/** API keys, each with a link to its history, what it asks for and what it does not send. */
export const AffectedKeys = ({ promptId, keys, hasNew }: AffectedKeysProps) => {
  const [all, setAll] = useState(false);
  return (
    <>
      <ul className={classes.list}>
        {keys.slice(0, all ? keys.length : SHOWN).map((key) => (
          <li key={key.apiKeyId} className={classes.key}>
            <Key promptId={promptId} affected={key} hasNew={hasNew} />
          </li>
        ))}
      </ul>
      {keys.length > SHOWN && !all && (
        <Button variant="subtle" size="compact-xs" onClick={() => setAll(true)}>
          Show all {keys.length}
        </Button>
      )}
    </>
  );
};

interface KeyProps {
  readonly promptId: string;
  readonly affected: AffectedKey;
  readonly hasNew: boolean;
}

const Key = ({ promptId, affected, hasNew }: KeyProps) => (
  <>
    <TextLink
      to="/prompts/$promptId/usage"
      params={{ promptId }}
      search={{ key: affected.apiKeyId }}
      size="sm"
      className="cv-break"
    >
      {affected.apiKeyName}
    </TextLink>
    <Text size="xs" c="dimmed" className="cv-break">
      asks for {affected.asks.join(', ')} · {counted(affected.fetches, 'fetch', 'fetches')}
      {affected.lastAt !== '' && (
        <>
          {' '}
          · last <When at={affected.lastAt} short />
        </>
      )}
    </Text>
    {affected.unsent.length > 0 && (
      <Text size="xs" c="var(--mantine-color-amber-text)">
        sends no value for {affected.unsent.join(', ')}
      </Text>
    )}
    {hasNew && affected.unsent.length === 0 && affected.isSendingUnknown && (
      <Text size="xs" c="dimmed">
        compiles the template itself, so which variables it fills in is not known
      </Text>
    )}
  </>
);

/** The API keys whose fetches are older than the entries read. */
export const EarlierKeys = ({ earlier, since }: Callers) =>
  earlier.length === 0 ? null : (
    <Text size="xs" c="dimmed" mt={4} className="cv-break">
      Before <When at={since} />, this prompt was also fetched by{' '}
      {earlier.map(({ apiKeyName }) => apiKeyName).join(', ')}. What they asked for is not listed here.
    </Text>
  );
