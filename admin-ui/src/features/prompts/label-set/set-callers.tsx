import { Text } from '@mantine/core';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { counted } from '../../../components/count.ts';
import { Panel } from '../../../components/layout/panel.tsx';
import { Refreshing } from '../../../components/layout/refreshing.tsx';
import { ErrorState } from '../../../components/states.tsx';
import { AffectedKeys } from '../impact/affected-keys.tsx';
import type { Callers } from '../impact/impact.ts';
import { callersQuery } from '../prompt-queries.ts';
import { callersOfSet, type LabelMove } from './label-set.ts';

const together = (results: readonly UseQueryResult<Callers>[]) => ({
  found: results.map(({ data }) => data),
  error: results.find(({ error }) => error !== null)?.error,
});

/**
 * The API keys that fetch what a set moves; undefined until they are read.
 * @param breaking what breaks applications, by the name of the prompt; undefined if unknown
 */
export const useSetCallers = (
  moves: readonly LabelMove[],
  breaking: ReadonlyMap<string, readonly BreakingChange[]> | undefined,
) => {
  const { found, error } = useQueries({
    queries: moves.map(({ promptId }) => callersQuery(promptId)),
    combine: together,
  });
  const judged = moves.map((move, index) => ({
    ...{ move, callers: found[index]?.callers ?? [] },
    changes: breaking?.get(move.name) ?? [],
  }));
  return { keys: found.includes(undefined) ? undefined : callersOfSet(judged), error };
};

interface SetCallersPanelProps extends ReturnType<typeof useSetCallers> {
  readonly label: string;
  readonly isJudged: boolean;
  /** Whether what breaks them is about to be read. */
  readonly isOld: boolean;
}

/** The API keys that fetch what a set moves, those that break first. */
export const SetCallersPanel = ({ keys, error, label, isJudged, isOld }: SetCallersPanelProps) => (
  <Panel title="Who is affected">
    {error ? (
      <ErrorState error={error} />
    ) : (
      <Refreshing when={isOld || keys === undefined}>
        {keys && (
          <Text role="status" c={keys.length === 0 ? 'dimmed' : 'inherit'}>
            {keys.length === 0 ? 'No API key' : counted(keys.length, 'API key')} asked these prompts for{' '}
            {label} in the last {LIMITS.inUseDays} days.
          </Text>
        )}
        {keys && <AffectedKeys keys={keys} isJudged={isJudged} />}
      </Refreshing>
    )}
  </Panel>
);
