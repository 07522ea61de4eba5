import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRole } from '../../../api/session-context.tsx';
import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { When } from '../../../components/when.tsx';
import { setServing, vaultQuery } from './vault-queries.ts';

const REFRESH_MS = 60_000;

/** Asks before the vault stops. */
export const confirmStop = (): void =>
  confirmByName({
    title: 'Stop serving secrets',
    name: 'stop',
    verb: 'Stop serving secrets',
    action: async () => {
      await setServing(false);
      notifyDone('No secrets are served now.');
    },
    text: (
      <>
        <Text mb="xs">Stop serving secrets. Prompts keep working.</Text>
        From the next call on, reads of secrets fail with <code>vault_stopped</code>, and the clients delete
        their copies. Secrets can still be changed here.
      </>
    ),
  });

/** Asks before the vault serves secrets again. */
export const confirmResume = (): void =>
  openDialog({
    title: 'Resume serving secrets',
    content: (
      <DialogForm
        verb="Resume"
        action={async () => {
          await setServing(true);
          notifyDone('Applications get their secrets again.');
        }}
      >
        <Text>Applications get their secrets again from the next call on.</Text>
      </DialogForm>
    ),
  });

/** Says on every screen that the vault is stopped. */
export const StoppedBanner = () => {
  const { can } = useRole();
  const { data } = useQuery({ ...vaultQuery, refetchInterval: REFRESH_MS });
  if (!data?.stopped) return null;
  const { at, by } = data.stopped;
  return (
    <Alert color="brick" variant="filled" radius={0} role="alert" py="xs" className="cv-break">
      <Group justify="space-between" gap="xs">
        <Text size="sm" inherit>
          The vault is stopped: no application gets secrets. Stopped <When at={at} short /> by {by}.
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
