import { backupReseal } from '../../contract/functions/commands.ts';
import { commandHandler } from '../http/command.ts';
import { exportResealed } from '../store/backup/export.ts';
import { resealTo } from '../store/backup/reseal.ts';
import { secretSteps } from '../store/backup/secrets.ts';
import { connectSigningTable } from '../store/signing/kms.ts';
import { connectVaultKms } from '../store/vault-keys/kms.ts';
import { createPrivateKeys } from '../store/vault-keys/private-keys.ts';

const table = connectSigningTable();
const kms = connectVaultKms();

/** Returns the next page of secrets, sealed to another installation. */
export const handler = commandHandler(backupReseal, ({ input, change }) => {
  const { recipient, ...request } = input;
  // The private keys are dropped with the call.
  const reseal = resealTo(table, createPrivateKeys(table, kms), recipient);
  return exportResealed(table, change, request, recipient, secretSteps(reseal));
});
