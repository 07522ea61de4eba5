import { backupRevoke } from '../../contract/functions/commands.ts';
import { commandHandler } from '../http/command.ts';
import { revokeAgain } from '../store/backup/revoke-again.ts';
import { connectSigningTable } from '../store/signing/kms.ts';

const table = connectSigningTable();

/** Revokes and deletes again what a restore brought back. */
export const handler = commandHandler(backupRevoke, ({ input, change }) =>
  revokeAgain(table, change, input.revocations, input.apply),
);
