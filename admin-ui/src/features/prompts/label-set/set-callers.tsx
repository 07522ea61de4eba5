import { Badge, Group, Text } from '@mantine/core';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { counted } from '../../../components/count.ts';
import { Panel } from '../../../components/layout/panel.tsx';
import { Refreshing } from '../../../components/layout/refreshing.tsx';
import { TextLink } from '../../../components/link.tsx';
import { Small } from '../../../components/small.tsx';
import { ErrorState } from '../../../components/states.tsx';
import { VERDICT_COLORS } from '../impact/affected-keys.tsx';
import type { Callers } from '../impact/impact.ts';
import classes from '../impact/impact-panel.module.css';
import { callersQuery } from '../prompt-queries.ts';
import { callersOfSet, type LabelMove, type SetCaller } from './label-set.ts';

interface SetCallersPanelProps {
  readonly moves: readonly LabelMove[];
  /** What breaks applications, by the name of the prompt; undefined if unknown, which shows no verdicts. */
  readonly breaking: ReadonlyMap<string, readonly BreakingChange[]> | undefined;
  /** Whether `breaking` is about to be read. */
  readonly isOld: boolean;
}

const together = (results: readonly UseQueryResult<Callers>[]) => ({
  found: results.map(({ data }) => data),
  error: results.find(({ error }) => error !== null)?.error,
});

/** The API keys that fetch what a set moves, those that break first. */
export const SetCallersPanel = ({ moves, breaking, isOld }: SetCallersPanelProps) => {
  const { found, error } = useQueries({
    queries: moves.map(({ promptId }) => callersQuery(promptId)),
    combine: together,
  });
  const judged = moves.map((move, index) => ({
    ...{ move, callers: found[index]?.callers ?? [] },
    changes: breaking?.get(move.name) ?? [],
  }));
  const isRead = !found.includes(undefined);
  return (
    <Panel title="Who is affected">
      {error ? (
        <ErrorState error={error} />
      ) : (
        <Refreshing when={isOld || !isRead}>
          {isRead && <Keys label={moves[0]?.label ?? ''} keys={callersOfSet(judged)} isJudged={!!breaking} />}
        </Refreshing>
      )}
    </Panel>
  );
};

type KeysProps = { label: string; keys: readonly SetCaller[]; isJudged: boolean };

const Keys = ({ label, keys, isJudged }: KeysProps) => {
  const breaks = keys.filter(({ verdict }) => verdict === 'breaks').length;
  if (keys.length === 0) {
    return (
      <Text c="dimmed">
        No API key asked these prompts for {label} in the last {LIMITS.inUseDays} days.
      </Text>
    );
  }
  return (
    <>
      <Text role="status">
        {counted(keys.length, 'API key')} asked these prompts for {label} in the last {LIMITS.inUseDays} days.
        {breaks > 0 && ` The set breaks ${counted(breaks, 'API key')}.`}
      </Text>
      <ul className={`cv-list ${classes.list}`}>
        {keys.map((key) => (
          <li key={key.apiKeyId} className={classes.key}>
            <Key {...key} isJudged={isJudged} />
          </li>
        ))}
      </ul>
    </>
  );
};

const Key = ({
  apiKeyId,
  apiKeyName,
  fetches,
  verdict,
  prompts,
  isJudged,
}: SetCaller & { isJudged: boolean }) => {
  const breaking = prompts.filter((prompt) => prompt.verdict !== 'works');
  return (
    <>
      <Group gap={6}>
        <TextLink to="/api-keys/$keyId" params={{ keyId: apiKeyId }} size="sm" className="cv-break">
          {apiKeyName}
        </TextLink>
        {isJudged && <Badge color={VERDICT_COLORS[verdict]}>{verdict}</Badge>}
      </Group>
      <Small>
        {counted(fetches, 'fetch', 'fetches')} of {counted(prompts.length, 'prompt')}
      </Small>
      {breaking.map(({ promptId, name, verdict: each }) => (
        <Text key={promptId} size="xs" c={each === 'breaks' ? 'amber' : 'dimmed'} className="cv-break">
          {name}: {each === 'breaks' ? 'breaks' : 'whether it can handle the change is not known'}
        </Text>
      ))}
    </>
  );
};
