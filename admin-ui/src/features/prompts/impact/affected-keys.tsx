import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
import { counted } from '../../../components/count.ts';
import { TextLink } from '../../../components/link.tsx';
import { Small } from '../../../components/small.tsx';
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
      <ul className={`cv-list ${classes.list}`}>
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

export const VERDICT_COLORS = { breaks: 'brick', unknown: 'amber', works: 'spruce' } as const;

const Key = (props: Omit<AffectedKeysProps, 'keys'> & { affected: AffectedKey }) => {
  const { promptId, affected, changes } = props;
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
        {changes.length > 0 && <Badge color={VERDICT_COLORS[verdict]}>{verdict}</Badge>}
      </Group>
      <Small className="cv-break">
        asks for {affected.asks.join(', ')} · {counted(affected.fetches, 'fetch', 'fetches')}
        {affected.lastAt !== '' && (
          <>
            {' '}
            · last <When at={affected.lastAt} short />
          </>
        )}
      </Small>
      {affected.unsent.length > 0 && (
        <Text size="xs" c="amber">
          sends no value for {affected.unsent.join(', ')}
        </Text>
      )}
      {unused.length > 0 && <Small>sends a value for {unused.join(', ')}, without effect from now on</Small>}
      {verdict === 'unknown' && unused.length === 0 && (
        <Small>
          {affected.isSendingUnknown
            ? 'compiles the template itself, so which variables it fills in is not known'
            : 'whether it can handle the change is not known'}
        </Small>
      )}
    </>
  );
};

/** The API keys whose fetches are older than the entries read. */
export const EarlierKeys = ({ earlier, since }: Callers) =>
  earlier.length === 0 ? null : (
    <Small mt={4} className="cv-break">
      Before <When at={since} />, this prompt was also fetched by{' '}
      {earlier.map(({ apiKeyName }) => apiKeyName).join(', ')}. What they asked for is not listed here.
    </Small>
  );
