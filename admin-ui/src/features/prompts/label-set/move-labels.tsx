import { Badge, Box, Group, Select } from '@mantine/core';
import { useState } from 'react';
import { labelsMove } from '../../../../../contract/endpoints/labels.ts';
import { call } from '../../../api/client.ts';
import { reloaderOf } from '../../../api/queries.ts';
import { Muted, PromptLink, Small } from '../../../components/basics.tsx';
import { DialogForm, notifyDone } from '../../../components/dialogs.tsx';
import { counted } from '../../../components/locale.ts';
import { breakingOf, ImpactPanel, sentenceOf, useEffects } from '../impact/impact-panel.tsx';
import { CompareLink, useLabelProblem } from '../labels/label-badge.tsx';
import { LATEST, PRODUCTION, suggestedFor } from '../labels/label-names.ts';
import { PROMPTS_KEY } from '../prompt-queries.ts';
import { isDowngrade, type LabelledPrompt, type LabelMove, movesOf } from './label-set.ts';

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

/**
 * Points a label of several prompts to the version that another one serves in each: shows what breaks and for whom, and
 * applies all of it in one step.
 */
export const MoveLabels = ({ prompts }: { prompts: readonly LabelledPrompt[] }) => {
  const [target, setTarget] = useState(PRODUCTION);
  const [source, setSource] = useState(LATEST);
  const labels = [...new Set(prompts.flatMap((prompt) => prompt.labels.map(({ label }) => label)))];
  const problem = useLabelProblem()(target);
  const moves = movesOf(prompts, { source, target });
  const isMove = moves.length > 0 && problem === undefined;
  const changes = moves.map(({ promptId, label, to }) => ({ promptId, label, to: to ?? undefined }));
  const effects = useEffects({ changes, affected: true }, isMove);
  return (
    <DialogForm
      verb={`Move ${counted(moves.length, 'label')}`}
      danger={effects.danger}
      canSubmit={isMove && !effects.isOld && !effects.error}
      action={() => applyMoves(moves)}
    >
      <Group grow align="flex-start">
        <Select
          label="Label to move"
          data={suggestedFor(labels).filter((label) => label !== source)}
          value={target}
          onChange={(next) => setTarget(next ?? target)}
          error={problem}
          data-autofocus
        />
        <Select
          label="To the version of"
          data={[
            { value: LATEST, label: 'latest (no label)' },
            ...labels.filter((label) => label !== target),
          ]}
          value={source}
          onChange={(next) => setSource(next ?? source)}
        />
      </Group>
      <ul className="cv-list cv-rows">
        {moves.map((move, index) => (
          <Box component="li" key={move.promptId} py={4}>
            <PromptLink {...move} /> <span className="cv-mono">{move.from ?? 'not set'}</span> →{' '}
            <span className="cv-mono">{move.to}</span>{' '}
            {isDowngrade(move) && <Badge color="brick">downgrade</Badge>}{' '}
            {move.from && move.to && (
              <CompareLink promptId={move.promptId} from={move.from} to={move.to}>
                Compare
              </CompareLink>
            )}
            {!effects.isOld &&
              breakingOf(effects, index).map((change) => (
                <Small key={sentenceOf(change)} c="amber">
                  {sentenceOf(change)}
                </Small>
              ))}
          </Box>
        ))}
      </ul>
      {isMove ? (
        <ImpactPanel effects={effects} outcome="get another version on the next fetch" />
      ) : (
        <Muted role="status">Nothing to move.</Muted>
      )}
    </DialogForm>
  );
};
