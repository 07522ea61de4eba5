import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRole } from '../../../api/session-context.tsx';
import { counted } from '../../../components/count.ts';
import { Panel } from '../../../components/layout/panel.tsx';
import { Screen } from '../../../components/layout/screen.tsx';
import { inDigits } from '../../../components/locale.ts';
import { QueryBoundary } from '../../../components/states.tsx';
import { vaultQuery } from '../../../components/stopped-mark.tsx';
import { KeyPair } from './key-pair.tsx';
import { Revisions } from './revisions.tsx';
import { confirmResume, confirmStop } from './serving.tsx';
import type { VaultState } from './vault-queries.ts';

/** The vault as a whole: whether it serves secrets, and its revisions. */
export const VaultScreen = () => {
  const query = useQuery(vaultQuery);
  const vault = query.data;
  return (
    <Screen
      title="Vault"
      subtitle={vault && `${counted(vault.secrets, 'secret')} · revision ${inDigits(vault.revision)}`}
    >
      <QueryBoundary query={query}>
        {(found) => (
          <Stack gap="md">
            <Serving vault={found} />
            <KeyPair vault={found} />
            <Revisions current={found.revision} />
          </Stack>
        )}
      </QueryBoundary>
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
            color={stopped ? 'spruce' : 'brick'}
            variant="light"
            onClick={stopped ? confirmResume : confirmStop}
          >
            {stopped ? 'Resume' : 'Stop serving secrets'}
          </Button>
        )
      }
    >
      <Text>
        {stopped ? 'No application gets secrets.' : 'Applications with a valid API key get their secrets.'}
      </Text>
    </Panel>
  );
};
