import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { isRefusal } from '../../../api/api-error.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../components/count.ts';
import { Refusal } from '../../../components/dialogs/refusal.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { TextLink } from '../../../components/link.tsx';
import { type LabelMove, undoing } from './label-set.ts';
import { moveLabels } from './label-set-queries.ts';

export interface AppliedSet {
  readonly moves: readonly LabelMove[];
  /** Undefined if every label was already there. */
  readonly set: string | undefined;
}

/** What a set moved, with a button that undoes all of it in one step. */
export const Applied = ({ applied, again }: { applied: AppliedSet; again: () => void }) => {
  const [undone, setUndone] = useState<AppliedSet>();
  const { moves, set } = undone ?? applied;
  const { mutate, isPending, error } = useAction(async () => {
    const back = undoing(applied.moves);
    setUndone({ moves: back, set: await moveLabels(back) });
  });
  return (
    <>
      <Refusal error={error} mb="md">
        {isRefusal(error, 'changed_meanwhile') && ' Undo the others on the screens of their prompts.'}
      </Refusal>
      <Panel
        title={undone ? 'Undone' : set === undefined ? 'Nothing to move' : 'Moved'}
        {...(set !== undefined && { count: moves.length })}
        actions={
          <Group gap="xs">
            {!undone && set !== undefined && (
              <Button variant="default" onClick={() => mutate()} loading={isPending}>
                Undo all
              </Button>
            )}
            <Button onClick={again}>Compose another set</Button>
          </Group>
        }
      >
        <Alert color="spruce" role="status" mb="sm">
          <Text>
            {undone && 'Undone: the labels are as they were before.'}
            {!undone &&
              (set === undefined
                ? 'Every label was already there.'
                : `${counted(moves.length, 'label')} moved in one step. Callers get the new versions on their next fetch.`)}
            {set !== undefined && (
              <>
                {' '}
                <TextLink to="/audit" search={{ subject: set }} size="sm" underline="always">
                  {set} in the audit log
                </TextLink>
              </>
            )}
          </Text>
        </Alert>
      </Panel>
    </>
  );
};
