import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type BreakingChange, breakingChanges } from '../../../../../contract/content/breaking.ts';
import type { Content } from '../../../../../contract/content/content.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { counted } from '../../../components/count.ts';
import { QueryBoundary } from '../../../components/states.tsx';
import { callersQuery } from '../prompt-queries.ts';
import { AffectedKeys, EarlierKeys } from './affected-keys.tsx';
import { type AffectedKey, affectedKeys, neededBy, type Scope, working } from './impact.ts';
import classes from './impact-panel.module.css';

export interface ImpactPanelProps {
  readonly promptId: string;
  readonly scopes: readonly Scope[];
  /** What will happen to these callers, such as "get 1.2.0 on the next fetch". */
  readonly outcome: string;
  /** What these callers get now and afterwards. */
  readonly change?: { readonly before: Content; readonly after: Content };
}

/** Who is affected by a change: the API keys that fetched it within seven days. */
export const ImpactPanelView = ({ promptId, scopes, outcome, change }: ImpactPanelProps) => {
  const changes = change ? breakingChanges(change.before, change.after) : [];
  const callers = useQuery(callersQuery(promptId));
  return (
    <section className={classes.panel} aria-label="Who is affected">
      <Text fw={600}>Who is affected</Text>
      <QueryBoundary query={callers}>
        {(found) => (
          <>
            <Affected
              promptId={promptId}
              keys={affectedKeys(working(found.callers), scopes, change ? neededBy(change.after) : [])}
              what={scopes.map(nameOf).join(' or ')}
              outcome={outcome}
              changes={changes}
            />
            <EarlierKeys {...found} />
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
  readonly changes: readonly BreakingChange[];
}

const Affected = ({ promptId, keys, what, outcome, changes }: AffectedProps) => {
  const fetches = keys.reduce((sum, key) => sum + key.fetches, 0);
  if (keys.length === 0) {
    return (
      <Text c="dimmed">
        No API key asked for {what} in the last {LIMITS.inUseDays} days.
      </Text>
    );
  }
  return (
    <>
      <Text>
        {counted(keys.length, 'API key')} asked for {what} in the last {LIMITS.inUseDays} days (
        {counted(fetches, 'fetch', 'fetches')}) and will {outcome}.
      </Text>
      <AffectedKeys promptId={promptId} keys={keys} changes={changes} />
    </>
  );
};
