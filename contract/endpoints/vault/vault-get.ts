import * as z from 'zod/mini';
import { FEW_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { VAULT } from '../../http/examples.ts';
import { vaultShape } from '../../shapes/vault.ts';

export const vaultGet = endpoint({
  id: 'vault-get',
  route: { method: 'GET', path: PATHS.vault },
  access: VIEWER,
  reply: z.object({ vault: vaultShape }),
  errors: [],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['vault'] }],
  summary: 'Fetch the state of the vault',
  description: 'Its current revision, its size, and whether secrets are released.',
  examples: [{ summary: 'A vault', res: { vault: VAULT } }],
});
