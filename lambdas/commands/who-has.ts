import { whoHas as definition } from '../../contract/functions/commands.ts';
import { commandHandler } from '../http/command.ts';
import { connectTable } from '../store/connect.ts';
import { connectVaultKms } from '../store/vault-keys/kms.ts';
import { whoHas } from '../store/views/who-has.ts';

const table = connectTable();
const kms = connectVaultKms();

/** Says which stored values equal a value, and who received them. */
export const handler = commandHandler(definition, ({ input, change }) => whoHas(table, kms, change, input));
