import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRole } from '../../../api/session-context.tsx';
import { counted } from '../../../components/count.ts';
import { confirm } from '../../../components/dialogs/dialog-form.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { Screen } from '../../../components/layout/screen.tsx';
import { inDigits } from '../../../components/locale.ts';
import { QueryBoundary } from '../../../components/states.tsx';
import { vaultQuery } from '../../../components/stopped-mark.tsx';
import { Revisions } from './revisions.tsx';
import { confirmResume, confirmStop } from './serving.tsx';
import { startRotation, type VaultState } from './vault-queries.ts';

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

const REFRESH_MS = 3_000;

/** The key pair that values are encrypted to; administrators replace it. */
const KeyPair = ({ vault: { keyVersion, reencrypted } }: { vault: VaultState }) => {
  const { can } = useRole();
  const [replaced, setReplaced] = useState<number>();
  const isUnderWay = replaced !== undefined && (keyVersion === replaced || !reencrypted);
  useQuery({ ...vaultQuery, refetchInterval: isUnderWay ? REFRESH_MS : false });
  const open = () =>
    confirm({
      title: 'Replace the key pair',
      verb: 'Replace',
      action: async () => {
        await startRotation(keyVersion);
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
      <Text role="status">{textOf({ keyVersion, reencrypted, isUnderWay })}</Text>
    </Panel>
  );
};

interface Progress extends Pick<VaultState, 'keyVersion' | 'reencrypted'> {
  readonly isUnderWay: boolean;
}

const textOf = ({ keyVersion, reencrypted, isUnderWay }: Progress): string => {
  const number = `Key pair no. ${inDigits(keyVersion)}`;
  if (reencrypted && isUnderWay) return `${number} is being replaced.`;
  if (reencrypted) return `Every value is encrypted to key pair no. ${inDigits(keyVersion)}.`;
  return `${number} is in use. Some values are still encrypted to an earlier one; the rotation re-encrypts them.`;
};
