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
import { type Edits, kindOf, LATEST, type LabelMove, movesOf, NO_EDITS, withChosen } from './label-set.ts';
import { moveColumns } from './label-set-columns.tsx';
import { type Candidates, moveLabels, SET_KEY, type SetQuery, trialQuery } from './label-set-queries.ts';
import { SetCallersPanel, useSetCallers } from './set-callers.tsx';

export interface PreviewProps {
  readonly query: SetQuery;
  readonly candidates: Candidates;
  readonly onApplied: (applied: AppliedSet) => void;
}

/** What a set moves, whom that affects, and what it breaks; applies it. */
export const Preview = ({ query, candidates, onApplied }: PreviewProps) => {
  const [edits, setEdits] = useState(NO_EDITS);
  const problem = useLabelProblem()(query.target);
  const rows = withChosen(movesOf(candidates.prompts, query), edits);
  const moves = rows.filter(({ promptId }) => edits.moved.includes(promptId));
  const trial = useQuery(trialQuery(problem ? [] : moves));
  // The table then shows where the labels are now.
  const readAgain = () => queryClient.invalidateQueries({ queryKey: SET_KEY });
  const { mutate, isPending, error, reset } = useAction(
    async () => onApplied({ moves, set: await moveLabels(moves) }),
    async (refusal) => isRefusal(refusal, 'changed_meanwhile', 'prompt_not_found') && (await readAgain()),
  );
  const onEdit = (next: Edits) => {
    reset();
    setEdits(next);
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
        <NothingToMove {...query} isChosen={candidates.prompts.length > 0} />
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
            <Choices rows={rows} edits={edits} onEdit={onEdit} />
            <DataTable
              label="Moves"
              columns={moveColumns({ edits, onEdit, breaking: trial.data })}
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

interface ChoicesProps {
  readonly rows: readonly LabelMove[];
  readonly edits: Edits;
  readonly onEdit: (edits: Edits) => void;
}

/** Nothing moves until it is chosen: row by row, or all moves of a kind. */
const Choices = ({ rows, edits, onEdit }: ChoicesProps) => (
  <Group gap="xs" mb="xs">
    {KINDS.map(([kind, text]) => {
      const ids = rows.filter((row) => kindOf(row) === kind).map(({ promptId }) => promptId);
      if (ids.length === 0) return null;
      const isChosen = ids.every((id) => edits.moved.includes(id));
      const others = edits.moved.filter((id) => !ids.includes(id));
      return (
        <RowButton
          key={kind}
          aria-pressed={isChosen}
          onClick={() => onEdit({ ...edits, moved: isChosen ? others : [...others, ...ids] })}
        >
          {isChosen ? 'Leave out' : 'Choose'} {ids.length} {text}
        </RowButton>
      );
    })}
  </Group>
);

const NothingToMove = ({ source, target, isChosen }: SetQuery & { isChosen: boolean }) => (
  <Notice title="Nothing to move">
    <Text size="md">
      {isChosen
        ? `In each of these prompts, ${target} already serves the chosen version.`
        : source === LATEST
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
