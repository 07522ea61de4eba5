import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../../../contract/limits.ts';
import { counted } from '../../../components/count.ts';
import { TextLink } from '../../../components/link.tsx';
import { QueryBoundary } from '../../../components/states.tsx';
import { When } from '../../../components/when.tsx';
import { callersQuery } from '../prompt-queries.ts';
import { type AffectedKey, affectedKeys, type Callers, type Scope } from './impact.ts';
import classes from './impact-panel.module.css';

const SHOWN = 5;

export interface ImpactPanelProps {
  readonly promptId: string;
  readonly scopes: readonly Scope[];
  /** What will happen to these callers, such as "get 1.2.0 with their next fetch". */
  readonly outcome: string;
  /** Variables that the change adds. */
  readonly added?: readonly string[];
}

/** Who notices a change: the API keys that fetched, within seven days, what is about to change. */
export const ImpactPanel = ({ promptId, scopes, outcome, added = [] }: ImpactPanelProps) => {
  const callers = useQuery(callersQuery(promptId));
  return (
    <section className={classes.panel} aria-label="Who is affected">
      <Text size="sm" fw={600}>
        Who is affected
      </Text>
      <QueryBoundary query={callers}>
        {(found) => (
          <>
            <Affected
              promptId={promptId}
              keys={affectedKeys(found.callers, scopes, added)}
              what={scopes.map(nameOf).join(' or ')}
              outcome={outcome}
              hasNew={added.length > 0}
            />
            <Earlier {...found} />
          </>
        )}
      </QueryBoundary>
    </section>
  );
};

const nameOf = (scope: Scope): string => {
  if (scope.kind === 'prompt') return 'this prompt';
  if (scope.kind === 'latest') return 'the latest version';
  return scope.kind === 'label' ? `the label ${scope.label}` : `version ${scope.version}`;
};

interface AffectedProps {
  readonly promptId: string;
  readonly keys: readonly AffectedKey[];
  readonly what: string;
  readonly outcome: string;
  readonly hasNew: boolean;
}

const Affected = ({ promptId, keys, what, outcome, hasNew }: AffectedProps) => {
  const [all, setAll] = useState(false);
  const fetches = keys.reduce((sum, key) => sum + key.fetches, 0);
  if (keys.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No API key asked for {what} in the last {LIMITS.inUseDays} days.
      </Text>
    );
  }
  return (
    <>
      <Text size="sm">
        {counted(keys.length, 'API key')} asked for {what} in the last {LIMITS.inUseDays} days (
        {counted(fetches, 'fetch', 'fetches')}) and will {outcome}.
      </Text>
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
      asks for {affected.asks.join(', ')} · {counted(affected.fetches, 'fetch', 'fetches')} · last{' '}
      <When at={affected.lastAt} short />
    </Text>
    {affected.unsent.length > 0 && (
      <Text size="xs" c="var(--mantine-color-amber-text)">
        sends no value for {affected.unsent.join(', ')}
      </Text>
    )}
    {hasNew && affected.unsent.length === 0 && affected.isSendingUnknown && (
      <Text size="xs" c="dimmed">
        fills in variables itself, so the values it has are not known
      </Text>
    )}
  </>
);

const Earlier = ({ earlier, since }: Callers) =>
  earlier.length === 0 ? null : (
    <Text size="xs" c="dimmed" mt={4} className="cv-break">
      Before <When at={since} />, this prompt was also fetched by{' '}
      {earlier.map(({ apiKeyName }) => apiKeyName).join(', ')}. What they asked for is not listed here.
    </Text>
  );
