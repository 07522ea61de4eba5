import { backupReencrypt } from '../../contract/functions/commands.ts';
import { commandHandler } from '../http/command.ts';
import { exportReencrypted } from '../store/backup/export.ts';
import { reencryptTo, secretSteps } from '../store/backup/secrets.ts';
import { connectSigningTable } from '../store/signing/kms.ts';
import { createPrivateKeys } from '../store/vault-keys/key-pairs.ts';
import { connectVaultKms } from '../store/vault-keys/kms.ts';

const table = connectSigningTable();
const kms = connectVaultKms();

/** Returns the next page of secrets, encrypted to another installation. */
export const handler = commandHandler(backupReencrypt, ({ input, change }) => {
  const { recipients, ...request } = input;
  // The private keys are dropped with the call.
  const steps = secretSteps((vault) => reencryptTo(vault, createPrivateKeys(vault, kms), recipients));
  return exportReencrypted(table, change, request, recipients, steps);
});
