import { ENVIRONMENT } from '../../contract/environment.ts';
import { retryWhileDenied } from '../core/iam-delay.ts';
import { log } from '../log.ts';
import { connectSigningTable } from '../store/signing/kms.ts';
import { connectRotationKms } from '../store/vault-keys/kms.ts';
import { ensureVaultKey, rotateVault } from '../store/vault-keys/rotation.ts';

const table = connectSigningTable();
const kms = connectRotationKms();
const maxAgeDays = Number(process.env[ENVIRONMENT.vaultKeyDays]);

/** Sees to the vault's key pairs. Throws, for the alarm of the job to tell, where anything is left to be mended. */
export const handler = async (): Promise<void> => {
  // Not a number is below no age: the pair would be replaced with every run.
  if (!(maxAgeDays > 0)) throw new Error(`${ENVIRONMENT.vaultKeyDays} must be a number of days.`);
  const now = new Date();
  const created = await retryWhileDenied(() => ensureVaultKey(table, kms, now));
  const report = await rotateVault(table, kms, { now, maxAgeDays });
  log('info', 'vault keys seen to', { created, ...report });
  if (report.unopened.length > 0) {
    throw new Error(
      `Stored values of ${report.unopened.length} secrets do not open; the log names their ids.`,
    );
  }
};
