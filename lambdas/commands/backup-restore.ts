import { backupRestore } from '../../contract/functions/commands.ts';
import { commandHandler } from '../http/command.ts';
import { restorePage } from '../store/backup/restore.ts';
import { connectSigningTable } from '../store/signing/kms.ts';

const table = connectSigningTable();

export const handler = commandHandler(backupRestore, ({ input, change }) => {
  const { trusted, apiKeys, ...made } = input;
  return restorePage(table, change, made, { trusted, apiKeys });
});
