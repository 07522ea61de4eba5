import { log, logFailure } from '../log.ts';
import { recountPrompts } from '../store/prompts/counts.ts';
import { purgePrompts } from '../store/prompts/purge.ts';
import { connectSigningTable } from '../store/signing/kms.ts';
import { purgeVault } from '../store/vault/purge.ts';
import { vaultIn } from '../store/vault/vault.ts';

const table = connectSigningTable();

/** Permanently removes what can no longer be restored, and counts the prompts. A failure does not stop the rest. */
export const handler = async (): Promise<void> => {
  const now = new Date();
  const [prompts, vault, counted] = await Promise.allSettled([
    purgePrompts(table, now),
    purgeVault(vaultIn(table), now),
    recountPrompts(table),
  ]);
  if (prompts.status === 'fulfilled') log('info', 'prompts purged', { prompts: prompts.value });
  if (vault.status === 'fulfilled') log('info', 'vault purged', { ...vault.value });
  const failures = [prompts, vault, counted].flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  if (failures.length === 0) return;
  const failure = new AggregateError(failures, 'Not everything could be purged.');
  logFailure('not purged', failure);
  throw failure;
};
