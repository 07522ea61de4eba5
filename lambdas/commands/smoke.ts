import { smoke } from '../../contract/functions/commands.ts';
import { commandHandler } from '../http/command.ts';
import { connectSigningTable } from '../store/signing/kms.ts';
import { beginSmoke, endSmoke } from '../store/smoke.ts';
import { vaultIn } from '../store/vault/vault.ts';

const table = connectSigningTable();

/** Writes what a test of the deployment reads, and removes it. */
export const handler = commandHandler(smoke, ({ input, change }) =>
  input.do === 'begin' ? beginSmoke(vaultIn(table), change) : endSmoke(vaultIn(table), change, input),
);
