import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRole } from '../../../api/session-context.tsx';
import { counted } from '../../../components/count.ts';
import { Panel } from '../../../components/layout/panel.tsx';
import { Screen } from '../../../components/layout/screen.tsx';
import { inDigits } from '../../../components/locale.ts';
import { ErrorState, Loading } from '../../../components/states.tsx';
import { vaultQuery } from '../../../components/stopped-mark.tsx';
import { KeyPair } from './key-pair.tsx';
import { Revisions } from './revisions.tsx';
import { confirmResume, confirmStop } from './serving.tsx';
import type { VaultState } from './vault-queries.ts';

/** The vault as a whole: whether it serves secrets, and its revisions. */
export const VaultScreen = () => {
  const { data: vault, isPending, error, refetch } = useQuery(vaultQuery);
  return (
    <Screen
      title="Vault"
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
            {stopped ? 'Resume' : 'Stop serving secrets'}
          </Button>
        )
      }
    >
      {stopped ? (
        <Text size="sm">No application gets secrets.</Text>
      ) : (
        <Text size="sm">Applications with a valid API key get their secrets.</Text>
      )}
    </Panel>
  );
};
