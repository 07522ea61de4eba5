import { Text } from '@mantine/core';
import { ConfirmByName } from '../../components/dialogs/confirm-by-name.tsx';
import { notifyDone } from '../../components/dialogs/notify.tsx';
import { inDigits } from '../../components/locale.ts';
import { When } from '../../components/when.tsx';
import { type KeyRow, revokeKey } from './key-queries.ts';

const times = (count: number): string => (count === 1 ? 'once' : `${inDigits(count)} times`);

/** Asks before a key is revoked, and shows who is affected. */
export const RevokeDialog = ({ apiKey, onClose }: { apiKey: KeyRow; onClose: () => void }) => {
  const { keyId, name, calls, lastUsedAt } = apiKey;
  const isUsed = calls.prompts + calls.secrets > 0;
  return (
    <ConfirmByName
      opened
      onClose={onClose}
      title="Revoke the API key"
      name={name}
      verb="Revoke"
      action={async () => {
        await revokeKey(keyId);
        notifyDone(`${name} is revoked.`);
      }}
    >
      <Text mb="xs">
        <strong className="cv-break">{name}</strong> is rejected from the next request on. This cannot be
        undone.
      </Text>
      {isUsed ? (
        <Text c="var(--mantine-color-amber-text)">
          In the last 7 days it fetched prompts {times(calls.prompts)} and read secrets {times(calls.secrets)}
          .
        </Text>
      ) : (
        <Text c="dimmed">It was not used in the last 7 days.</Text>
      )}
      {lastUsedAt !== null && (
        <Text size="sm" c="dimmed">
          Last use: <When at={lastUsedAt} />
        </Text>
      )}
    </ConfirmByName>
  );
};
