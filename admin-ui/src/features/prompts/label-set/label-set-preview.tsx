import { Alert, Badge, Button, Group, SimpleGrid, Text } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { isRefusal } from '../../../api/api-error.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../components/count.ts';
import { Refusal } from '../../../components/dialogs/refusal.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { PromptLink } from '../../../components/layout/review-panel.tsx';
import { RowButton } from '../../../components/small.tsx';
import { Notice } from '../../../components/states.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { useSelection } from '../../../components/tables/use-selection.tsx';
import { sentenceOf } from '../editor/review/breaking.ts';
import { ImpactPanel, useImpact } from '../impact/impact-panel.tsx';
import { useLabelProblem } from '../labels/label-badge.tsx';
import { openLabelForm } from '../labels/label-dialogs.tsx';
import { LATEST } from '../labels/label-names.ts';
import { kindOf, type LabelledPrompt, type LabelMove, movesOf } from './label-set.ts';
import { applyMoves, SET_KEY, type SetQuery, trialQuery } from './label-set-queries.ts';

/** What callers must send since these changes. */
const neededSince = (changes: readonly BreakingChange[]): string[] =>
  changes.flatMap((one) =>
    one.kind === 'variable-added' || one.kind === 'default-removed' ? [one.name] : [],
  );

/** What a set moves, whom that affects, and what it breaks; applies it. */
export const Preview = ({ query, prompts }: { query: SetQuery; prompts: readonly LabelledPrompt[] }) => {
  const { source, target } = query;
  const problem = useLabelProblem()(target);
  const rows = movesOf(prompts.slice(0, LIMITS.labelMoves), query);
  const { chosen: moves, selected, column, select } = useSelection(rows, OF_PROMPTS);
  const trial = useQuery(trialQuery(problem ? [] : moves));
  // The table then shows where the labels are now.
  const readAgain = () => queryClient.invalidateQueries({ queryKey: SET_KEY });
  const { mutate, isPending, error, reset } = useAction(
    () => applyMoves(moves),
    async (refusal) => isRefusal(refusal, 'changed_meanwhile', 'prompt_not_found') && (await readAgain()),
  );
  useDidUpdate(reset, [selected]);
  const breaking = trial.isError || trial.isPlaceholderData ? undefined : trial.data;
  const changes = moves.map(({ promptId, name, label }) => {
    const found = breaking?.get(name) ?? [];
    const judged = breaking && { changes: found, needed: neededSince(found) };
    return { promptId, name, scopes: [{ kind: 'label', label } as const], ...judged };
  });
  const { danger } = useImpact(changes);
  if (problem) return <Alert color="brick">{problem}</Alert>;
  return (
    <>
      {prompts.length > LIMITS.labelMoves && (
        <Alert color="amber" mb="md" title={`More than ${LIMITS.labelMoves} prompts`}>
          At most {LIMITS.labelMoves} labels move in one step. These are the first {LIMITS.labelMoves} prompts
          by name: move them, then the rest. Or choose a smaller folder.
        </Alert>
      )}
      <Refusal error={error ?? trial.error} mb="md">
        {trial.isError && (
          <RowButton ml="xs" onClick={() => void readAgain()}>
            Read again
          </RowButton>
        )}
      </Refusal>
      {rows.length === 0 ? (
        <Notice title="Nothing to move">
          <Text size="md">
            {source === LATEST
              ? `In each of these prompts, ${target} serves the latest version.`
              : `None of these prompts has the label ${source}, or ${target} serves the same version.`}
          </Text>
        </Notice>
      ) : (
        <SimpleGrid cols={{ base: 1, ...(moves.length > 0 && { lg: 2 }) }} style={{ alignItems: 'start' }}>
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
                  disabled={moves.length === 0 || breaking === undefined || trial.isFetching}
                >
                  Move {counted(moves.length, 'label')}
                </Button>
              </>
            }
          >
            <Text mb="xs">
              Callers that ask for <strong>{target}</strong> get{' '}
              {source === LATEST ? 'the latest version' : `what ${source} serves`} of each prompt that you
              choose, on the next fetch.
            </Text>
            <Choices rows={rows} moves={moves} onSelect={select} />
            <DataTable
              label="Moves"
              columns={[column, ...moveColumns(moves, trial.data)]}
              rows={rows}
              rowKey={({ promptId }) => promptId}
            />
          </Panel>
          {moves.length > 0 && (
            <ImpactPanel
              changes={changes}
              outcome="get another version on the next fetch"
              isOld={trial.isFetching}
              isSet
            />
          )}
        </SimpleGrid>
      )}
    </>
  );
};

const KINDS = [
  ['up', 'to a higher version'],
  ['down', 'to a lower version'],
  ['new', 'to prompts without this label'],
] as const;

interface ChoicesProps extends Record<'rows' | 'moves', readonly LabelMove[]> {
  readonly onSelect: (promptIds: readonly string[]) => void;
}

/** Nothing moves until it is chosen: row by row, or all moves of a kind. */
const Choices = ({ rows, moves, onSelect }: ChoicesProps) => (
  <Group gap="xs" mb="xs">
    {KINDS.map(([kind, text]) => {
      const own = rows.filter((row) => kindOf(row) === kind);
      if (own.length === 0) return null;
      const isChosen = own.every((row) => moves.includes(row));
      const others = moves.filter((row) => kindOf(row) !== kind);
      return (
        <RowButton
          key={kind}
          aria-pressed={isChosen}
          onClick={() => onSelect([...others, ...(isChosen ? [] : own)].map(OF_PROMPTS.idOf))}
        >
          {isChosen ? 'Leave out' : 'Choose'} {own.length} {text}
        </RowButton>
      );
    })}
  </Group>
);

const OF_PROMPTS = {
  idOf: ({ promptId }: LabelMove) => promptId,
  nameOf: ({ name }: LabelMove) => name,
  what: 'prompts',
};

const From = (move: LabelMove) => (
  <>
    <span className="cv-mono">{move.from ?? 'not set'}</span>{' '}
    {kindOf(move) === 'down' && <Badge color="brick">downgrade</Badge>}
    {kindOf(move) === 'new' && <Badge color="slate">new here</Badge>}
  </>
);

/** @param breaking what breaks applications, by the name of the prompt; undefined if unknown */
const moveColumns = (
  moves: readonly LabelMove[],
  breaking: ReadonlyMap<string, readonly BreakingChange[]> | undefined,
): readonly Column<LabelMove>[] => [
  {
    title: 'Prompt',
    cell: (move) => (
      <>
        <PromptLink {...move} />
        <Text size="xs" hiddenFrom="xs" component="div">
          <From {...move} /> → <span className="cv-mono">{move.to}</span>
        </Text>
        {moves.includes(move) &&
          breaking?.get(move.name)?.map((change) => (
            <Text key={sentenceOf(change)} size="xs" c="amber" className="cv-break">
              {sentenceOf(change)}
            </Text>
          ))}
      </>
    ),
  },
  {
    title: 'Now',
    width: '6rem',
    visibleFrom: 'xs',
    cell: From,
  },
  {
    title: 'Next',
    width: '5.5rem',
    visibleFrom: 'xs',
    cell: ({ to }) => <span className="cv-mono">{to}</span>,
  },
  {
    title: 'Compare',
    width: '5.5rem',
    visibleFrom: 'xs',
    cell: (move) => (
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => openLabelForm({ promptId: move.promptId, label: move.label, version: move.to ?? '' })}
        aria-label={`Compare ${move.name}`}
      >
        Compare
      </Button>
    ),
  },
];
