import { Alert, Button, Group, Text, Textarea, TextInput } from '@mantine/core';
import { LIMITS, utf8Bytes } from '../../../../../contract/limits.ts';
import { useRole } from '../../../api/session-context.tsx';
import { useAction } from '../../../api/use-action.ts';
import {
  confirm,
  DialogForm,
  openDialog,
  Refusal,
  useFields,
} from '../../../components/dialogs/dialog-form.tsx';
import { LeaveGuard } from '../../../components/dialogs/leave-guard.tsx';
import { Fact, Facts, Panel, Step } from '../../../components/layout/panel.tsx';
import { KeyLink } from '../../../components/link.tsx';
import { DayText, RowButton, Small, When } from '../../../components/small.tsx';
import type { Secret, SecretDetails } from '../secret-queries.ts';
import { changeSecret } from '../secret-queries.ts';
import { isOverdue, isSilent, pickedUp } from './rotation.ts';

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
      actions={can('editor') && <RowButton onClick={open}>Edit note and date</RowButton>}
    >
      <Facts>
        <Fact name="Rotate by">{secret.rotateBy && <RotateBy rotateBy={secret.rotateBy} />}</Fact>
        <Fact name="Note">
          {secret.note && <span style={{ whiteSpace: 'pre-wrap' }}>{secret.note}</span>}
        </Fact>
      </Facts>
      {secret.number > 1 && <Steps secret={secret} readers={readers} />}
    </Panel>
  );
};

const RotateBy = ({ rotateBy }: { rotateBy: string }) =>
  isOverdue(rotateBy, new Date()) ? (
    <Text span inherit c="amber">
      overdue since <DayText day={rotateBy} />
    </Text>
  ) : (
    <DayText day={rotateBy} />
  );

const Steps = ({ secret, readers }: Pick<SecretDetails, 'secret' | 'readers'>) => {
  const { can } = useRole();
  const { number, changedAt, changedBy, switchedOff } = secret;
  const { total, isAll, late, progress } = pickedUp({ secret, readers });
  const isOff = switchedOff !== undefined && switchedOff.upTo >= number - 1;
  const record = () => changeSecret(secret, { switchedOffUpTo: number - 1 });
  const { mutate, isPending, error } = useAction(record);
  const warn = () =>
    confirm({
      title: 'API keys still have the old value',
      verb: 'Mark as disabled anyway',
      action: record,
      text: (
        <Alert color="amber">
          {late.map(({ apiKeyName }) => apiKeyName).join(', ')} {late.length === 1 ? 'has' : 'have'} not read
          v{number} yet. Their applications fail once the old credential is disabled.
        </Alert>
      ),
    });
  return (
    <>
      {switchedOff !== undefined && switchedOff.upTo >= number && (
        <Alert color="amber" mt="sm">
          The current value, v{number}, is older than what is recorded as disabled.
        </Alert>
      )}
      <ol className="cv-list cv-rows" style={{ marginTop: '0.75rem' }}>
        <Step isDone>
          New value v{number}, <When at={changedAt} short /> by {changedBy}
        </Step>
        <Step isDone={isAll}>
          {total === 0
            ? 'No API key that can still read it did so in the last 30 days'
            : `${progress} the new value`}
          <ul className="cv-list">
            {late.map(({ apiKeyId, apiKeyName, lastAt }) => (
              <li key={apiKeyId}>
                still missing: <KeyLink keyId={apiKeyId} name={apiKeyName} />
                {isSilent(lastAt, new Date()) && `, silent for ${LIMITS.silentDays} days`}
              </li>
            ))}
          </ul>
          <Small>
            Several processes with one API key count as one, and values in memory and offline copies are not
            seen: give each service a key of its own.
          </Small>
        </Step>
        <Step isDone={isOff}>
          {isOff ? (
            <>
              Old credential disabled: recorded <When at={switchedOff.at} short /> by {switchedOff.by}
            </>
          ) : (
            <Group>
              <span>
                {isAll
                  ? 'Disable the old credential where it was issued'
                  : 'Wait before you disable the old credential'}
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

/** Changes the note of a secret and the day of its next rotation. */
const NotesForm = ({ secret }: { readonly secret: Secret }) => {
  const form = useFields({ note: secret.note ?? '', rotateBy: secret.rotateBy ?? '' });
  const { note, rotateBy } = form.values;
  const isTooLong = utf8Bytes(note) > LIMITS.secretNoteBytes;
  return (
    <DialogForm
      verb="Save"
      canSubmit={!isTooLong}
      action={() => changeSecret(secret, { note: note.trim(), rotateBy })}
      done={`The note and the date of ${secret.key} are saved.`}
    >
      <Textarea
        label="Note"
        description="For operators, such as where the credential is issued. Every operator sees it, so it must not contain a secret."
        {...form.text('note')}
        error={isTooLong && `A note has at most ${LIMITS.secretNoteBytes} bytes.`}
        autosize
        minRows={2}
        maxRows={8}
        data-autofocus
      />
      <TextInput
        type="date"
        label="Rotate by"
        description="The overview lists the secret from 14 days before this day. Leave it empty for no date."
        {...form.text('rotateBy')}
        w={220}
      />
      <LeaveGuard when={form.isChanged} />
    </DialogForm>
  );
};
