import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRole } from '../../../api/session-context.tsx';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../components/count.ts';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { Refusal } from '../../../components/dialogs/refusal.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { StepIcon } from '../../../components/step-icon.tsx';
import { DayText, When } from '../../../components/when.tsx';
import { recordSwitchedOff } from '../secret-changes.ts';
import type { Secret, SecretDetails } from '../secret-queries.ts';
import classes from '../secret-screen.module.css';
import { NotesForm } from './notes-form.tsx';
import { isOverdue, pickedUp } from './rotation.ts';

/** The progress of the last rotation of a secret, the date of the next one, and a note. */
export const RotationPanel = ({ secret, readers }: SecretDetails) => {
  const { can } = useRole();
  const open = () =>
    openDialog({
      title: `Rotation of ${secret.key}`,
      holdsInput: true,
      content: <NotesForm secret={secret} />,
    });
  return (
    <Panel
      title="Rotation"
      actions={
        can('editor') && (
          <Button variant="default" size="compact-xs" onClick={open}>
            Edit note and date
          </Button>
        )
      }
    >
      <dl className={classes.facts}>
        <dt>Rotate by</dt>
        <dd>
          <RotateBy rotateBy={secret.rotateBy} />
        </dd>
        <dt>Note</dt>
        <dd style={{ whiteSpace: 'pre-wrap' }}>{secret.note ?? <Dimmed>none</Dimmed>}</dd>
      </dl>
      {secret.number > 1 && <Steps secret={secret} readers={readers} />}
    </Panel>
  );
};

const Dimmed = ({ children }: { children: string }) => (
  <Text span inherit c="dimmed">
    {children}
  </Text>
);

const RotateBy = ({ rotateBy }: Pick<Secret, 'rotateBy'>) => {
  if (rotateBy === undefined) return <Dimmed>no date</Dimmed>;
  if (!isOverdue(rotateBy, new Date())) return <DayText day={rotateBy} />;
  return (
    <Text span inherit c="var(--mantine-color-amber-text)">
      overdue since <DayText day={rotateBy} />
    </Text>
  );
};

const Steps = ({ secret, readers }: Pick<SecretDetails, 'secret' | 'readers'>) => {
  const { can } = useRole();
  const { number, changedAt, changedBy, switchedOff } = secret;
  const { total, current, isAll, late } = pickedUp({ secret, readers });
  const isOff = switchedOff !== undefined && switchedOff.upTo >= number - 1;
  const { mutate, isPending, error } = useAction(() => recordSwitchedOff(secret.secretId, number - 1));
  const warn = () =>
    openDialog({
      title: 'API keys still have the old value',
      content: (
        <DialogForm
          verb="Mark as disabled anyway"
          action={() => recordSwitchedOff(secret.secretId, number - 1)}
        >
          <Alert color="amber" className="cv-break">
            {late.map(({ apiKeyName }) => apiKeyName).join(', ')} {late.length === 1 ? 'has' : 'have'} not
            read value no. {number} yet. Their applications fail once the old credential is disabled.
          </Alert>
        </DialogForm>
      ),
    });
  return (
    <>
      {switchedOff !== undefined && switchedOff.upTo >= number && (
        <Alert color="amber" mt="sm">
          The current value, no. {number}, is older than what was recorded as switched off.
        </Alert>
      )}
      <ol className={classes.values} style={{ marginTop: '0.75rem' }}>
        <Step isDone>
          New value no. {number}, <When at={changedAt} short /> by {changedBy}
        </Step>
        <Step isDone={isAll}>
          {total === 0
            ? 'No API key that can still read it did so in the last 30 days'
            : `${current} of ${counted(total, 'API key')} that read it in the last 30 days ${total === 1 ? 'has' : 'have'} the new value`}
        </Step>
        <Step isDone={isOff}>
          {isOff ? (
            <>
              Old credential switched off: recorded <When at={switchedOff.at} short /> by {switchedOff.by}
            </>
          ) : (
            <Group gap="xs">
              <span>
                {isAll
                  ? 'Switch the old credential off where it was issued'
                  : 'Wait before you switch the old credential off'}
              </span>
              {can('editor') && (
                <Button
                  size="compact-xs"
                  variant={isAll ? 'filled' : 'default'}
                  onClick={isAll ? () => mutate() : warn}
                  loading={isPending}
                >
                  Mark old credential as disabled
                </Button>
              )}
            </Group>
          )}
        </Step>
      </ol>
      <Refusal error={error} />
    </>
  );
};

const Step = ({ isDone, children }: { isDone: boolean; children: ReactNode }) => (
  <li className={classes.value}>
    <StepIcon isDone={isDone} />
    <span className="cv-break">{children}</span>
  </li>
);
