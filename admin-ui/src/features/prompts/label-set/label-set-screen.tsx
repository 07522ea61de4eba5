import { Alert, Badge, Button, Group, Text } from '@mantine/core';
import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { labelsMove } from '../../../../../contract/endpoints/labels.ts';
import { promptsGet, promptsList } from '../../../../../contract/endpoints/prompts.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { isRefusal } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { pagesFrom, reloaderOf } from '../../../api/queries.ts';
import { PromptLink, TextLink } from '../../../components/basics.tsx';
import { DialogForm, notifyDone, openDialog } from '../../../components/dialogs.tsx';
import { counted } from '../../../components/locale.ts';
import { Screen } from '../../../components/screen.tsx';
import { Notice, QueryBoundary, screenFor } from '../../../components/states.tsx';
import { type Column, DataTable, pagesOf } from '../../../components/tables/data-table.tsx';
import { Choice } from '../../../components/tables/filters.tsx';
import { breakingOf, ImpactPanel, sentenceOf, useEffects } from '../impact/impact-panel.tsx';
import { CompareLink, useLabelProblem } from '../labels/label-badge.tsx';
import { LATEST, PRODUCTION, suggestedFor } from '../labels/label-names.ts';
import { foldersOf } from '../list/folders.tsx';
import { PROMPTS_KEY, promptListQuery } from '../prompt-queries.ts';
import { kindOf, type LabelledPrompt, type LabelMove, movesOf, type Rule } from './label-set.ts';

/** Which prompts a set is made of. */
interface SetQuery extends Rule {
  /** Ids of the selected prompts; otherwise those of the folder, or all. */
  readonly prompts?: readonly string[] | undefined;
  readonly folder?: string | undefined;
}

const readPrompt = async (promptId: string, signal: AbortSignal): Promise<LabelledPrompt[]> => {
  try {
    return [(await call(promptsGet, { params: { promptId }, signal })).prompt];
  } catch (error) {
    if (isRefusal(error, 'prompt_not_found')) return [];
    throw error;
  }
};

/** The prompts that a set moves a label of, by name, read until there are more than one set can have. */
const candidatesQuery = ({ prompts, folder, ...rule }: SetQuery) =>
  queryOptions({
    queryKey: [...PROMPTS_KEY, 'label-set', { prompts, folder, ...rule }],
    queryFn: async ({ signal }): Promise<LabelledPrompt[]> => {
      const isIn = (prompt: LabelledPrompt) => movesOf([prompt], rule).length > 0;
      if (prompts)
        return (await Promise.all(prompts.map((id) => readPrompt(id, signal)))).flat().filter(isIn);
      const label = rule.source === LATEST ? {} : { label: rule.source };
      const query = { ...(folder && { folder }), ...label };
      const found: LabelledPrompt[] = [];
      for await (const page of pagesFrom(promptsList, { query, signal })) {
        found.push(...page.prompts.filter(isIn));
        if (found.length > LIMITS.labelMoves) break;
      }
      return found;
    },
  });

const moveLabels = async (moves: readonly LabelMove[]): Promise<boolean> => {
  const body = { moves: moves.map(({ promptId: _, ...move }) => move) };
  return (await reloaderOf(PROMPTS_KEY)(call(labelsMove, { body }))).moved;
};

/** Moves the labels in one step and says so, with a button that undoes all of it. */
const applyMoves = async (moves: readonly LabelMove[]): Promise<void> => {
  if (!(await moveLabels(moves))) return notifyDone('Every label was already there.');
  const undo = async () => {
    await moveLabels(moves.map((move) => ({ ...move, from: move.to, to: move.from })));
    return 'Undone: the labels are as they were before.';
  };
  notifyDone(`${counted(moves.length, 'label')} moved in one step.`, undo, 'Undo all');
};

/** The moves of a set to choose from; those that are chosen are reviewed and applied together. */
const Moves = ({ query, prompts }: { query: SetQuery; prompts: readonly LabelledPrompt[] }) => {
  const { source, target } = query;
  const problem = useLabelProblem()(target);
  const rows = movesOf(prompts.slice(0, LIMITS.labelMoves), query);
  if (problem) return <Alert color="brick">{problem}</Alert>;
  if (rows.length === 0)
    return (
      <Notice title="Nothing to move">
        <Text>
          {source === LATEST
            ? `In each of these prompts, ${target} serves the latest version.`
            : `None of these prompts has the label ${source}, or ${target} serves the same version.`}
        </Text>
      </Notice>
    );
  return (
    <>
      {prompts.length > LIMITS.labelMoves && (
        <Alert color="amber" mb="md" title={`More than ${LIMITS.labelMoves} prompts`}>
          At most {LIMITS.labelMoves} labels move in one step. These are the first {LIMITS.labelMoves} prompts
          by name: move them, then the rest. Or choose a smaller folder.
        </Alert>
      )}
      <Text mb="xs">
        Callers that ask for <strong>{target}</strong> get{' '}
        {source === LATEST ? 'the latest version' : `what ${source} serves`} of each prompt that you choose,
        on the next fetch.
      </Text>
      <DataTable
        label="Moves"
        columns={MOVE_COLUMNS}
        rows={rows}
        rowKey={({ promptId }) => promptId}
        select={{
          one: 'prompt',
          nameOf: ({ name }) => name,
          acts: (moves) => <ReviewButton moves={moves} />,
        }}
      />
    </>
  );
};

const ReviewButton = ({ moves }: { moves: readonly LabelMove[] }) => (
  <Button
    onClick={() =>
      openDialog({
        title: `Move ${moves[0]?.label} in ${counted(moves.length, 'prompt')}`,
        size: '56rem',
        content: <Review moves={moves} />,
      })
    }
  >
    Review {counted(moves.length, 'move')}
  </Button>
);

/** What the chosen moves break, and whom they affect; applies them. */
const Review = ({ moves }: { moves: readonly LabelMove[] }) => {
  const changes = moves.map(({ promptId, label, to }) => ({ promptId, label, ...(to && { to }) }));
  const effects = useEffects({ changes, affected: true });
  return (
    <DialogForm
      verb={`Move ${counted(moves.length, 'label')}`}
      danger={effects.danger}
      canSubmit={!effects.isOld && !effects.error}
      action={() => applyMoves(moves)}
    >
      <ul className="cv-list cv-rows">
        {moves.map((move, index) => (
          <li key={move.promptId}>
            <PromptLink {...move} /> <From {...move} /> → <span className="cv-mono">{move.to}</span>
            {breakingOf(effects, index).map((change) => (
              <Text key={sentenceOf(change)} size="xs" c="amber">
                {sentenceOf(change)}
              </Text>
            ))}
          </li>
        ))}
      </ul>
      <ImpactPanel effects={effects} outcome="get another version on the next fetch" isSet />
    </DialogForm>
  );
};

const From = (move: LabelMove) => (
  <>
    <span className="cv-mono">{move.from ?? 'not set'}</span>{' '}
    {kindOf(move) === 'down' && <Badge color="brick">downgrade</Badge>}
    {kindOf(move) === 'new' && <Badge color="slate">new here</Badge>}
  </>
);

const MOVE_COLUMNS: readonly Column<LabelMove>[] = [
  { title: 'Prompt', cell: (move) => <PromptLink {...move} /> },
  { title: 'Now', visibleFrom: 'xs', below: 'Now', cell: (move) => <From {...move} /> },
  {
    title: 'Next',
    visibleFrom: 'xs',
    below: 'Next',
    cell: ({ to }) => <span className="cv-mono">{to}</span>,
  },
  {
    title: 'Compare',
    width: '5.5rem',
    visibleFrom: 'xs',
    below: true,
    cell: ({ promptId, from, to }) =>
      from && to && <CompareLink {...{ promptId, from, to }}>Compare</CompareLink>,
  },
];

const route = getRouteApi('/prompts/labels');

const LabelSet = () => {
  const { folder, prompts, source = LATEST, target = PRODUCTION } = route.useSearch();
  const query = { folder, prompts, source, target };
  return (
    <Screen subtitle={`Up to ${LIMITS.labelMoves} labels move in one step: all of them, or none.`}>
      <RuleFields {...query} />
      <QueryBoundary query={useQuery(candidatesQuery(query))}>
        {(found) => <Moves key={JSON.stringify(query)} query={query} prompts={found} />}
      </QueryBoundary>
    </Screen>
  );
};

export const LabelSetScreen = screenFor('editor', 'move labels', LabelSet);

const RuleFields = ({ folder, prompts, source, target }: SetQuery) => {
  const list = useInfiniteQuery(promptListQuery({ view: 'folders', ...(folder && { folder }) }));
  const [{ folders = [], labels = [] } = {}] = pagesOf(list);
  const within = [...foldersOf(`${folder ?? ''}/`), ...folders].map((each) => each.folder);
  return (
    <Group gap="sm" mb="md" align="flex-end">
      {prompts ? (
        <Text pb={6}>
          {counted(prompts.length, 'selected prompt')},{' '}
          <TextLink from="/prompts/labels" to="." search={({ prompts: _, ...search }) => search} replace>
            choose a folder instead
          </TextLink>
        </Text>
      ) : (
        <Choice
          name="folder"
          label="Folder"
          placeholder="All prompts"
          labelAbove
          width={220}
          options={within}
        />
      )}
      <Choice
        name="target"
        label="Label to move"
        labelAbove
        clearable={false}
        width={170}
        options={suggestedFor(labels).filter((label) => label !== source)}
        value={target}
      />
      <Choice
        name="source"
        label="To the version of"
        labelAbove
        clearable={false}
        width={190}
        options={[
          { value: LATEST, label: 'no label: the latest' },
          ...labels.filter((each) => each !== target),
        ]}
        value={source}
      />
    </Group>
  );
};
