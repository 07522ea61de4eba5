import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRole } from '../../../api/session-context.tsx';
import { counted } from '../../../components/count.ts';
import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { Screen } from '../../../components/layout/screen.tsx';
import { TextLink } from '../../../components/link.tsx';
import { inDigits } from '../../../components/locale.ts';
import { ErrorState, Loading } from '../../../components/states.tsx';
import { When } from '../../../components/when.tsx';
import { KeyPair } from './key-pair.tsx';
import { Revisions } from './revisions.tsx';
import { setServing, type VaultState, vaultQuery } from './vault-queries.ts';

/** The vault as a whole: whether it serves secrets, and its revisions. */
export const VaultScreen = () => {
  const { data: vault, isPending, error, refetch } = useQuery(vaultQuery);
  return (
    <Screen
      title="Vault"
      above={<TextLink to="/secrets">Secrets</TextLink>}
      subtitle={vault && `${counted(vault.secrets, 'secret')} · revision ${inDigits(vault.revision)}`}
    >
      {isPending && <Loading />}
      {error && !vault && <ErrorState error={error} retry={() => void refetch()} />}
      {vault && (
        <Stack gap="md">
          <Serving vault={vault} />
          <KeyPair vault={vault} />
          <Revisions current={vault.revision} />
        </Stack>
      )}
    </Screen>
  );
};

const Serving = ({ vault: { stopped } }: { vault: VaultState }) => {
  const { can } = useRole();
  return (
    <Panel
      title="Serving"
      actions={
        can('admin') && (
          <Button
            size="xs"
            color={stopped ? 'spruce' : 'brick'}
            variant="light"
            onClick={stopped ? confirmResume : confirmStop}
          >
            {stopped ? 'Start serving secrets' : 'Stop serving secrets'}
          </Button>
        )
      }
    >
      {stopped ? (
        <Alert color="brick" className="cv-break">
          No application gets secrets. Stopped <When at={stopped.at} short /> by {stopped.by}.
        </Alert>
      ) : (
        <Text size="sm">Applications with a valid API key get their secrets.</Text>
      )}
    </Panel>
  );
};

const confirmStop = (): void =>
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
        From the next call on, every application is refused with <code>vault_stopped</code>, and the clients
        delete their copies. Secrets can still be changed here.
      </>
    ),
  });

const confirmResume = (): void =>
  openDialog({
    title: 'Start serving secrets',
    content: (
      <DialogForm
        verb="Start serving secrets"
        action={async () => {
          await setServing(true);
          notifyDone('Applications get their secrets again.');
        }}
      >
        <Text>Applications get their secrets again from the next call on.</Text>
      </DialogForm>
    ),
  });
