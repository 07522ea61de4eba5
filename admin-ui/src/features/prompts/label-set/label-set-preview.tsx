import { Alert, Badge, Button, Group, Text } from '@mantine/core';
import { LIMITS } from '../../../../../contract/limits.ts';
import { counted } from '../../../components/count.ts';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { PromptLink } from '../../../components/layout/review-panel.tsx';
import { RowButton } from '../../../components/small.tsx';
import { Notice } from '../../../components/states.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { useSelection } from '../../../components/tables/use-selection.tsx';
import { sentenceOf } from '../impact/breaking.ts';
import { breakingOf, useEffects } from '../impact/effects.ts';
import { ImpactPanel } from '../impact/impact-panel.tsx';
import { useLabelProblem } from '../labels/label-badge.tsx';
import { openLabelForm } from '../labels/label-dialogs.tsx';
import { LATEST } from '../labels/label-names.ts';
import { kindOf, type LabelledPrompt, type LabelMove, movesOf } from './label-set.ts';
import { applyMoves, type SetQuery } from './label-set-queries.ts';

/** The moves of a set to choose from; those that are chosen are reviewed and applied together. */
export const Moves = ({ query, prompts }: { query: SetQuery; prompts: readonly LabelledPrompt[] }) => {
  const { source, target } = query;
  const problem = useLabelProblem()(target);
  const rows = movesOf(prompts.slice(0, LIMITS.labelMoves), query);
  const { chosen: moves, column, select } = useSelection(rows, OF_PROMPTS);
  if (problem) return <Alert color="brick">{problem}</Alert>;
  return (
    <>
      {prompts.length > LIMITS.labelMoves && (
        <Alert color="amber" mb="md" title={`More than ${LIMITS.labelMoves} prompts`}>
          At most {LIMITS.labelMoves} labels move in one step. These are the first {LIMITS.labelMoves} prompts
          by name: move them, then the rest. Or choose a smaller folder.
        </Alert>
      )}
      {rows.length === 0 ? (
        <Notice title="Nothing to move">
          <Text size="md">
            {source === LATEST
              ? `In each of these prompts, ${target} serves the latest version.`
              : `None of these prompts has the label ${source}, or ${target} serves the same version.`}
          </Text>
        </Notice>
      ) : (
        <Panel
          title="What can move"
          count={rows.length}
          actions={
            <Button
              onClick={() =>
                openDialog({
                  title: `Move ${target} in ${counted(moves.length, 'prompt')}`,
                  size: '56rem',
                  content: <Review moves={moves} />,
                })
              }
              disabled={moves.length === 0}
            >
              Review {counted(moves.length, 'move')}
            </Button>
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
            columns={[column, ...MOVE_COLUMNS]}
            rows={rows}
            rowKey={({ promptId }) => promptId}
          />
        </Panel>
      )}
    </>
  );
};

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
              <Text key={sentenceOf(change)} size="xs" c="amber" className="cv-break">
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

const MOVE_COLUMNS: readonly Column<LabelMove>[] = [
  {
    title: 'Prompt',
    cell: (move) => (
      <>
        <PromptLink {...move} />
        <Text size="xs" hiddenFrom="xs" component="div">
          <From {...move} /> → <span className="cv-mono">{move.to}</span>
        </Text>
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
