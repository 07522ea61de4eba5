import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rotationStart } from '../../../../../contract/endpoints/vault.ts';
import { useRole } from '../../../api/session-context.tsx';
import { counted } from '../../../components/count.ts';
import { confirm } from '../../../components/dialogs/dialog-form.tsx';
import { EnvironmentMark, useEnvironment } from '../../../components/environments.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { Screen } from '../../../components/layout/screen.tsx';
import { inDigits } from '../../../components/locale.ts';
import { QueryBoundary } from '../../../components/states.tsx';
import { changeSecrets } from '../secret-changes.ts';
import { EnvironmentsPanel } from './environments-panel.tsx';
import { Revisions } from './revisions.tsx';
import { confirmResume, confirmStop } from './serving.tsx';
import { type VaultState, vaultQuery } from './vault-queries.ts';

/** The vault as a whole: whether it serves secrets, and its revisions. */
export const VaultScreen = () => {
  const environment = useEnvironment();
  const query = useQuery(vaultQuery(environment));
  const vault = query.data?.vault;
  return (
    <Screen
      title="Vault"
      beside={<EnvironmentMark name={environment} />}
      subtitle={vault && `${counted(vault.secrets, 'secret')} · revision ${inDigits(vault.revision)}`}
    >
      <QueryBoundary query={query}>
        {({ vault: found }) => (
          <Stack gap="md">
            <EnvironmentsPanel />
            <Serving environment={environment} vault={found} />
            <KeyPair key={environment} environment={environment} vault={found} />
            <Revisions environment={environment} current={found.revision} />
          </Stack>
        )}
      </QueryBoundary>
    </Screen>
  );
};

interface VaultProps {
  readonly environment: string;
  readonly vault: VaultState;
}

const Serving = ({ environment, vault: { stopped } }: VaultProps) => {
  const { can } = useRole();
  return (
    <Panel
      title="Serving"
      actions={
        can('admin') && (
          <Button
            color={stopped ? 'spruce' : 'brick'}
            variant="light"
            onClick={() => (stopped ? confirmResume : confirmStop)(environment)}
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

const REFRESH_MS = 3_000;

/** The key pair that values are encrypted to; administrators replace it. */
const KeyPair = ({ environment, vault }: VaultProps) => {
  const { keyVersion, reencrypted } = vault;
  const { can } = useRole();
  const [replaced, setReplaced] = useState<number>();
  const isUnderWay = replaced !== undefined && (keyVersion === replaced || !reencrypted);
  useQuery({ ...vaultQuery(environment), refetchInterval: isUnderWay ? REFRESH_MS : false });
  const open = () =>
    confirm({
      title: 'Replace the key pair',
      verb: 'Replace',
      action: async () => {
        await changeSecrets(rotationStart, { body: { environment, keyVersion } });
        setReplaced(keyVersion);
      },
      done: 'The rotation has started.',
      text: `A new key pair takes the place of no. ${inDigits(keyVersion)}, and every value is encrypted to it. This takes seconds, or minutes for thousands of secrets. Applications notice nothing.`,
      children: (
        <Text size="md">
          If values themselves may have leaked, replace them too: a new key pair does not protect values that
          someone already knows.
        </Text>
      ),
    });
  return (
    <Panel
      title="Key pair"
      actions={
        can('admin') && (
          <Button variant="default" onClick={open} loading={isUnderWay}>
            Replace the key pair
          </Button>
        )
      }
    >
      <Text role="status">{textOf(vault, isUnderWay)}</Text>
    </Panel>
  );
};

const textOf = ({ keyVersion, reencrypted }: VaultState, isUnderWay: boolean): string => {
  const number = `Key pair no. ${inDigits(keyVersion)}`;
  if (reencrypted && isUnderWay) return `${number} is being replaced.`;
  if (reencrypted) return `Every value is encrypted to key pair no. ${inDigits(keyVersion)}.`;
  return `${number} is in use. Some values are still encrypted to an earlier one; the rotation re-encrypts them.`;
};
