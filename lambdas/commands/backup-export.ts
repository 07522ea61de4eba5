import { backupExport } from '../../contract/functions/commands.ts';
import { commandHandler } from '../http/command.ts';
import { exportPage, showInstallation } from '../store/backup/export.ts';
import { connectSigningTable } from '../store/signing/kms.ts';

const table = connectSigningTable();

/** Returns the next page of a backup, or the public keys of the installation. */
export const handler = commandHandler(backupExport, ({ input, change }) =>
  input.show === 'installation' ? showInstallation(table) : exportPage(table, change, input),
);
