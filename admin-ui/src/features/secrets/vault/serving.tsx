import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS, utf8Bytes } from '../../../../../contract/limits.ts';
import { useRole } from '../../../api/session-context.tsx';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { confirm, DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { vaultQuery } from '../../../components/stopped-mark.tsx';
import { When } from '../../../components/when.tsx';
import { resumeServing, stopServing } from './vault-queries.ts';

const REFRESH_MS = 60_000;

export const confirmStop = (): void => openDialog({ title: 'Stop serving secrets', content: <StopForm /> });

const StopForm = () => {
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  const isTooLong = utf8Bytes(reason) > LIMITS.stopReasonBytes;
  return (
    <DialogForm
      verb="Stop serving secrets"
      color="brick"
      canSubmit={reason !== '' && !isTooLong}
      action={() => stopServing(reason)}
      done="No secrets are served now."
    >
      <Text size="md">Stop serving secrets. Prompts keep working.</Text>
      <Text size="md">
        From the next call on, reads of secrets fail with <code>vault_stopped</code>, and the clients delete
        their copies. Secrets can still be changed here.
      </Text>
      <TextInput
        data-autofocus
        label="Why?"
        description="Every operator sees it until the vault serves again. It stays in the audit log."
        error={isTooLong && 'This is too long.'}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </DialogForm>
  );
};

/** Asks before the vault serves secrets again. */
export const confirmResume = (): void =>
  confirm({
    title: 'Resume serving secrets',
    verb: 'Resume',
    action: resumeServing,
    done: 'Applications get their secrets again.',
    text: 'Applications get their secrets again from the next call on.',
  });

/** Says on every screen that the vault is stopped, by whom and why. */
export const StoppedBanner = () => {
  const { can } = useRole();
  const { data } = useQuery({ ...vaultQuery, refetchInterval: REFRESH_MS });
  if (!data?.stopped) return null;
  const { at, by, reason } = data.stopped;
  return (
    <Alert color="brick" variant="filled" radius={0} role="alert" py="xs" className="cv-break">
      <Group justify="space-between" gap="xs">
        <Text inherit>
          The vault is stopped: no application gets secrets. Stopped <When at={at} short /> by {by}: {reason}
        </Text>
        {can('admin') && (
          <Button size="compact-sm" variant="white" color="brick" onClick={confirmResume}>
            Resume
          </Button>
        )}
      </Group>
    </Alert>
  );
};
