import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
import { counted } from '../../../components/count.ts';
import { TextLink } from '../../../components/link.tsx';
import { When } from '../../../components/when.tsx';
import { type AffectedKey, type Callers, verdictOf } from './impact.ts';
import classes from './impact-panel.module.css';

const SHOWN = 5;

interface AffectedKeysProps {
  readonly promptId: string;
  readonly keys: readonly AffectedKey[];
  /** What can break them. */
  readonly changes: readonly BreakingChange[];
}

/** API keys, each with a link to its history, what it asks for and what it does not send. */
export const AffectedKeys = ({ promptId, keys, changes }: AffectedKeysProps) => {
  const [all, setAll] = useState(false);
  return (
    <>
      <ul className={classes.list}>
        {keys.slice(0, all ? keys.length : SHOWN).map((key) => (
          <li key={key.apiKeyId} className={classes.key}>
            <Key promptId={promptId} affected={key} changes={changes} />
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
  readonly changes: readonly BreakingChange[];
}

/** The color of each verdict. */
export const VERDICT_COLORS = { breaks: 'brick', unknown: 'amber', works: 'spruce' } as const;

const Key = ({ promptId, affected, changes }: KeyProps) => {
  const verdict = verdictOf(affected, changes);
  const removed = changes.flatMap((change) => (change.kind === 'variable-removed' ? [change.name] : []));
  const unused = affected.sent.filter((name) => removed.includes(name));
  return (
    <>
      <Group gap={6}>
        <TextLink
          to="/prompts/$promptId/usage"
          params={{ promptId }}
          search={{ key: affected.apiKeyId }}
          size="sm"
          className="cv-break"
        >
          {affected.apiKeyName}
        </TextLink>
        {changes.length > 0 && (
          <Badge size="sm" color={VERDICT_COLORS[verdict]}>
            {verdict}
          </Badge>
        )}
      </Group>
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
      {unused.length > 0 && (
        <Text size="xs" c="dimmed">
          sends a value for {unused.join(', ')}, without effect from now on
        </Text>
      )}
      {verdict === 'unknown' && unused.length === 0 && (
        <Text size="xs" c="dimmed">
          {affected.isSendingUnknown
            ? 'compiles the template itself, so which variables it fills in is not known'
            : 'whether it can handle the change is not known'}
        </Text>
      )}
    </>
  );
};

/** The API keys whose fetches are older than the entries read. */
export const EarlierKeys = ({ earlier, since }: Callers) =>
  earlier.length === 0 ? null : (
    <Text size="xs" c="dimmed" mt={4} className="cv-break">
      Before <When at={since} />, this prompt was also fetched by{' '}
      {earlier.map(({ apiKeyName }) => apiKeyName).join(', ')}. What they asked for is not listed here.
    </Text>
  );
