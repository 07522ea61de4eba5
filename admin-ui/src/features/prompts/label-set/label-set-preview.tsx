import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../../../contract/limits.ts';
import { isRefusal } from '../../../api/api-error.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../components/count.ts';
import { Refusal } from '../../../components/dialogs/refusal.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { RowButton } from '../../../components/small.tsx';
import { Notice } from '../../../components/states.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { harmOf } from '../impact/impact.ts';
import { useLabelProblem } from '../labels/protected-labels.ts';
import type { AppliedSet } from './applied-set.tsx';
import classes from './label-set.module.css';
import { kindOf, LATEST, type LabelMove, movesOf } from './label-set.ts';
import { type MoveColumnsProps, moveColumns } from './label-set-columns.tsx';
import { type Candidates, moveLabels, SET_KEY, type SetQuery, trialQuery } from './label-set-queries.ts';
import { SetCallersPanel, useSetCallers } from './set-callers.tsx';

export interface PreviewProps {
  readonly query: SetQuery;
  readonly candidates: Candidates;
  readonly onApplied: (applied: AppliedSet) => void;
}

/** What a set moves, whom that affects, and what it breaks; applies it. */
export const Preview = ({ query, candidates, onApplied }: PreviewProps) => {
  const [moved, setMoved] = useState<readonly string[]>([]);
  const problem = useLabelProblem()(query.target);
  const rows = movesOf(candidates.prompts, query);
  const moves = rows.filter(({ promptId }) => moved.includes(promptId));
  const trial = useQuery(trialQuery(problem ? [] : moves));
  // The table then shows where the labels are now.
  const readAgain = () => queryClient.invalidateQueries({ queryKey: SET_KEY });
  const { mutate, isPending, error, reset } = useAction(
    async () => onApplied({ moves, set: await moveLabels(moves) }),
    async (refusal) => isRefusal(refusal, 'changed_meanwhile', 'prompt_not_found') && (await readAgain()),
  );
  const onMoved = (ids: readonly string[]) => {
    reset();
    setMoved(ids);
  };
  const breaking = trial.isError || trial.isPlaceholderData ? undefined : trial.data;
  const callers = useSetCallers(moves, breaking);
  const danger = breaking && harmOf(callers.keys ?? []);
  const canMove = moves.length > 0 && breaking !== undefined && !trial.isFetching;
  if (problem) return <Alert color="brick">{problem}</Alert>;
  return (
    <>
      {candidates.isMore && <TooMany />}
      <Refusal error={error ?? trial.error} mb="md">
        {trial.isError && (
          <RowButton ml="xs" onClick={() => void readAgain()}>
            Read again
          </RowButton>
        )}
      </Refusal>
      {rows.length === 0 ? (
        <NothingToMove {...query} />
      ) : (
        <div className={classes.columns}>
          <Panel
            title="What moves"
            count={moves.length}
            actions={
              <>
                {danger && (
                  <Text c="brick" fw={600} role="status">
                    {danger}
                  </Text>
                )}
                <Button
                  {...(danger && { color: 'brick' })}
                  onClick={() => mutate()}
                  loading={isPending}
                  disabled={!canMove}
                >
                  Move {counted(moves.length, 'label')}
                </Button>
              </>
            }
          >
            <Choices rows={rows} moved={moved} onMoved={onMoved} />
            <DataTable
              label="Moves"
              columns={moveColumns({ moved, onMoved, breaking: trial.data })}
              rows={rows}
              rowKey={({ promptId }) => promptId}
            />
          </Panel>
          {moves.length > 0 && (
            <SetCallersPanel
              {...callers}
              label={query.target}
              isJudged={breaking !== undefined}
              isOld={trial.isFetching}
            />
          )}
        </div>
      )}
    </>
  );
};

const KINDS = [
  ['up', 'to a higher version'],
  ['down', 'to a lower version'],
  ['new', 'to prompts without this label'],
] as const;

interface ChoicesProps extends Pick<MoveColumnsProps, 'moved' | 'onMoved'> {
  readonly rows: readonly LabelMove[];
}

/** Nothing moves until it is chosen: row by row, or all moves of a kind. */
const Choices = ({ rows, moved, onMoved }: ChoicesProps) => (
  <Group gap="xs" mb="xs">
    {KINDS.map(([kind, text]) => {
      const ids = rows.filter((row) => kindOf(row) === kind).map(({ promptId }) => promptId);
      if (ids.length === 0) return null;
      const isChosen = ids.every((id) => moved.includes(id));
      const others = moved.filter((id) => !ids.includes(id));
      return (
        <RowButton
          key={kind}
          aria-pressed={isChosen}
          onClick={() => onMoved(isChosen ? others : [...others, ...ids])}
        >
          {isChosen ? 'Leave out' : 'Choose'} {ids.length} {text}
        </RowButton>
      );
    })}
  </Group>
);

const NothingToMove = ({ source, target }: SetQuery) => (
  <Notice title="Nothing to move">
    <Text size="md">
      {source === LATEST
        ? `In each of these prompts, ${target} serves the latest version.`
        : `None of these prompts has the label ${source}, or ${target} serves the same version.`}
    </Text>
  </Notice>
);

const TooMany = () => (
  <Alert color="amber" mb="md" title={`More than ${LIMITS.labelMoves} prompts`}>
    At most {LIMITS.labelMoves} labels move in one step. These are the first {LIMITS.labelMoves} prompts by
    name: move them, then the rest. Or choose a smaller folder.
  </Alert>
);
