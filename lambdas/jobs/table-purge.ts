import { withAttempts } from '../core/parallel.ts';
import { job, log } from '../log.ts';
import { recountPrompts } from '../store/prompts/counts.ts';
import { purgePrompts } from '../store/prompts/purge.ts';
import { connectSigningTable } from '../store/signing/kms.ts';
import { purgeVault } from '../store/vault/purge.ts';
import { everyVault } from '../store/vault/vaults.ts';

const table = connectSigningTable();

/** Permanently removes what can no longer be restored, and counts the prompts. A failure does not stop the rest. */
export const handler = job('not purged', () =>
  withAttempts('Not everything could be purged.', async (attempt) => {
    const now = new Date();
    await attempt(async () => log('info', 'prompts purged', { prompts: await purgePrompts(table, now) }));
    await attempt(async () => {
      for (const vault of await everyVault(table))
        await attempt(async () =>
          log('info', 'vault purged', { environment: vault.environment, ...(await purgeVault(vault, now)) }),
        );
    });
    await attempt(() => recountPrompts(table));
  }),
);
