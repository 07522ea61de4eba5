import { backupAdoptKeys } from '../../contract/functions/commands.ts';
import { commandHandler } from '../http/command.ts';
import { adoptKeyPairs } from '../store/backup/adopt-key-pairs.ts';
import { connectSigningTable } from '../store/signing/kms.ts';
import { vaultIn } from '../store/vault/vault.ts';
import { connectVaultKms } from '../store/vault-keys/kms.ts';

const table = connectSigningTable();
const kms = connectVaultKms();

/** Gives an unused vault the key pairs of a backup. */
export const handler = commandHandler(backupAdoptKeys, ({ input, change }) => {
  const { trusted, ...made } = input;
  return adoptKeyPairs(vaultIn(table), kms, change, made, trusted);
});
