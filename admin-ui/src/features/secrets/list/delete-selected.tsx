import { Text } from '@mantine/core';
import { LIMITS } from '../../../../../contract/limits.ts';
import { counted } from '../../../components/count.ts';
import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { deleteSecrets } from '../secret-changes.ts';
import type { SecretRow } from '../secret-queries.ts';

const NAMED = 10;
const DAY_MS = 86_400_000;

const listed = (secrets: readonly SecretRow[]): string => {
  const more = secrets.length - NAMED;
  const named = secrets.slice(0, NAMED).map(({ key }) => key);
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
};

/** Asks before several secrets are deleted, and says which of them were read recently. */
export const confirmDeletion = (secrets: readonly SecretRow[]): void => {
  const what = counted(secrets.length, 'secret');
  const since = new Date(Date.now() - LIMITS.inUseDays * DAY_MS).toISOString();
  const inUse = secrets.filter(({ lastRead }) => lastRead !== null && lastRead.at >= since);
  confirmByName({
    title: `Delete ${what}`,
    name: `delete ${what}`,
    verb: 'Delete',
    action: async () => {
      await deleteSecrets(secrets);
      notifyDone(`${what} deleted. Deleted secrets can be restored for ${LIMITS.restoreDays} days.`);
    },
    text: (
      <>
        <Text mb="xs" className="cv-break">
          Applications no longer receive {listed(secrets)}. Secrets are deleted one after the other.
        </Text>
        {inUse.length > 0 ? (
          <Text c="var(--mantine-color-amber-text)" className="cv-break">
            Read in the last {LIMITS.inUseDays} days: {listed(inUse)}.
          </Text>
        ) : (
          <Text c="dimmed">Not read in the last {LIMITS.inUseDays} days.</Text>
        )}
      </>
    ),
  });
};
