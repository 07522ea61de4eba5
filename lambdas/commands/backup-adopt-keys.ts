import { backupAdoptKeys } from '../../contract/functions/commands.ts';
import { commandHandler } from '../http/command.ts';
import { adoptKeyPairs } from '../store/backup/adopt-key-pairs.ts';
import { connectSigningTable } from '../store/signing/kms.ts';
import { connectVaultKms } from '../store/vault-keys/kms.ts';

const table = connectSigningTable();
const kms = connectVaultKms();

/** Gives unused vaults the key pairs of a backup. */
export const handler = commandHandler(backupAdoptKeys, ({ input, change }) => {
  const { trusted, ...made } = input;
  return adoptKeyPairs(table, kms, change, made, trusted);
});
