import { Text } from '@mantine/core';
import { LIMITS } from '../../../../contract/limits.ts';
import { times } from '../../components/count.ts';
import { confirmByName } from '../../components/dialogs/confirm-by-name.tsx';
import { When } from '../../components/when.tsx';
import { type KeyRow, revokeKey } from './key-queries.ts';

const usesOf = ({ prompts, secrets }: KeyRow['calls']): string =>
  [
    ...(prompts > 0 ? [`fetched prompts ${times(prompts)}`] : []),
    ...(secrets > 0 ? [`read secrets ${times(secrets)}`] : []),
  ].join(' and ');

/**
 * Asks before a key is revoked, and shows who is affected. `follow` is called afterwards if the key was used: whoever had
 * it knows what it read.
 */
export const confirmRevocation = (
  { keyId, name, calls, lastUsedAt }: KeyRow,
  follow: (keyId: string) => void,
): void =>
  confirmByName({
    title: 'Revoke the API key',
    name,
    verb: 'Revoke',
    action: async () => {
      await revokeKey(keyId);
      if (lastUsedAt !== null) follow(keyId);
    },
    done: `${name} is revoked.`,
    text: (
      <>
        <Text size="md" mb="xs">
          <strong className="cv-break">{name}</strong> is rejected from the next request on. This cannot be
          undone.
        </Text>
        <Text size="md" c={usesOf(calls) ? 'amber' : 'dimmed'}>
          In the last {LIMITS.shownDays} days it {usesOf(calls) || 'was not used'}.
        </Text>
        {lastUsedAt !== null && (
          <Text c="dimmed">
            Last use: <When at={lastUsedAt} />
          </Text>
        )}
      </>
    ),
  });
