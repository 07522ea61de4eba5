import { Text } from '@mantine/core';
import { LIMITS } from '../../../../../contract/limits.ts';
import { counted, listed } from '../../../components/count.ts';
import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { deleteSecrets } from '../secret-changes.ts';
import type { SecretRow } from '../secret-queries.ts';

const NAMED = 10;
const DAY_MS = 86_400_000;

const keysOf = (secrets: readonly SecretRow[]): string =>
  listed(
    secrets.map(({ key }) => key),
    NAMED,
  );

/** Asks before several secrets are deleted, and says which of them were read recently. */
export const confirmDeletion = (secrets: readonly SecretRow[]): void => {
  const what = counted(secrets.length, 'secret');
  const since = new Date(Date.now() - LIMITS.inUseDays * DAY_MS).toISOString();
  const inUse = secrets.filter(({ lastRead }) => lastRead !== null && lastRead.at >= since);
  confirmByName({
    title: `Delete ${what}`,
    name: `delete ${what}`,
    verb: 'Delete',
    action: () => deleteSecrets(secrets),
    done: `${what} deleted. Deleted secrets can be restored for ${LIMITS.restoreDays} days.`,
    text: (
      <>
        <Text size="md" mb="xs" className="cv-break">
          Applications no longer receive {keysOf(secrets)}. Secrets are deleted one after the other.
        </Text>
        {inUse.length > 0 ? (
          <Text size="md" c="amber" className="cv-break">
            Read in the last {LIMITS.inUseDays} days: {keysOf(inUse)}.
          </Text>
        ) : (
          <Text size="md" c="dimmed">
            Not read in the last {LIMITS.inUseDays} days.
          </Text>
        )}
      </>
    ),
  });
};
