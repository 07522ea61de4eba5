import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS, SIGN } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { flag } from '../../fields/fields.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { VAULT } from '../../http/examples.ts';
import { vaultShape } from '../../shapes/vault.ts';

export const releasesSet = endpoint({
  id: 'releases-set',
  route: { method: 'PUT', path: `${PATHS.vault}/releases` },
  access: ADMIN,
  body: strictFields(
    { allowed: flag('`false` stops all releases of secrets; `true` allows them again.') },
    { error: 'The body must be a JSON object, such as {"allowed": false}.' },
  ),
  reply: z.object({ vault: vaultShape }),
  errors: ['changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['vault'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    ...SIGN,
  ],
  summary: 'Stop or allow all releases of secrets',
  description:
    'While releases are stopped, every call of `vault-get-secrets` gets 403 `vault_stopped`. Clients do not treat it as an outage: they delete their copies. Secrets can still be changed. Repeating the call changes nothing.',
  examples: [
    {
      summary: 'Stop',
      body: { allowed: false },
      res: { vault: { ...VAULT, stopped: { at: VAULT.changedAt, by: VAULT.changedBy } } },
    },
  ],
});
