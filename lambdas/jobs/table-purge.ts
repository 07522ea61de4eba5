import { log, logFailure } from '../log.ts';
import { recountPrompts } from '../store/prompts/counts.ts';
import { purgePrompts } from '../store/prompts/purge.ts';
import { connectSigningTable } from '../store/signing/kms.ts';
import { purgeVault } from '../store/vault/purge.ts';
import { everyVault } from '../store/vault/vaults.ts';

const table = connectSigningTable();

/** Permanently removes what can no longer be restored, and counts the prompts. A failure does not stop the rest. */
export const handler = async (): Promise<void> => {
  const now = new Date();
  const failures: unknown[] = [];
  const attempt = (work: () => Promise<void>) => work().catch((error: unknown) => void failures.push(error));
  await attempt(async () => log('info', 'prompts purged', { prompts: await purgePrompts(table, now) }));
  await attempt(async () => {
    for (const vault of await everyVault(table))
      await attempt(async () =>
        log('info', 'vault purged', { environment: vault.environment, ...(await purgeVault(vault, now)) }),
      );
  });
  await attempt(() => recountPrompts(table));
  if (failures.length === 0) return;
  const failure = new AggregateError(failures, 'Not everything could be purged.');
  logFailure('not purged', failure);
  throw failure;
};
