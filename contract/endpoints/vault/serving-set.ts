import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS, SIGN } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { flag, text } from '../../fields/fields.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { VAULT } from '../../http/examples.ts';
import { LIMITS } from '../../limits.ts';
import { vaultShape } from '../../shapes/vault.ts';

const REASON = 'The API key of ci was in a public log.';

export const servingSet = endpoint({
  id: 'serving-set',
  route: { method: 'PUT', path: `${PATHS.vault}/serving` },
  access: ADMIN,
  body: strictFields(
    {
      allowed: flag('`false` stops serving secrets; `true` serves them again.'),
      reason: z.optional(
        text(LIMITS.stopReasonBytes, 'Why serving stops; required then. Operators see it on every screen.'),
      ),
    },
    { error: 'The body must be a JSON object, such as {"allowed": true}.' },
  ).check(
    z.refine(({ allowed, reason }) => allowed === (reason === undefined), {
      error: 'Send "reason" with "allowed": false, and only then.',
    }),
  ),
  reply: z.object({ vault: vaultShape }),
  errors: ['changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['vault'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    ...SIGN,
  ],
  summary: 'Stop or start serving secrets',
  description:
    'While the vault is stopped, every call of `vault-get-secrets` gets 403 `vault_stopped`. Clients do not treat it as an outage: they delete their copies. Secrets can still be changed. Repeating the call changes nothing.',
  examples: [
    {
      summary: 'Stop',
      body: { allowed: false, reason: REASON },
      res: { vault: { ...VAULT, stopped: { at: VAULT.changedAt, by: VAULT.changedBy, reason: REASON } } },
    },
  ],
});
