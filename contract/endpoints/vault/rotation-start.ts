import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { revision } from '../../fields/fields.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { VAULT } from '../../http/examples.ts';
import { LIMITS } from '../../limits.ts';
import { count } from '../../shapes/common.ts';

export const rotationStart = endpoint({
  id: 'rotation-start',
  route: { method: 'POST', path: PATHS.rotation },
  access: ADMIN,
  body: strictFields(
    { keyVersion: revision('Version of the key pair to replace, from `vault-get`.') },
    { error: 'The body must be a JSON object, such as {"keyVersion": 1}.' },
  ),
  reply: z.object({ keyVersion: count('Version of the key pair that is being replaced.') }),
  errors: ['changed_meanwhile', 'rotated_recently'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem'], partitions: ['vault', 'vaultKey'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    { on: 'job', job: 'vault-rotate', actions: ['InvokeFunction'] },
  ],
  summary: 'Replace the key pair of the vault now',
  description: `Starts the job that replaces the key pair and re-encrypts every value, and does not wait for it. \`vault-get\` shows the new \`keyVersion\` once it exists, and \`reencrypted\` when the job is done. Reads and changes continue meanwhile. Repeating the call replaces no further key pair: \`keyVersion\` names the one to replace. For ${LIMITS.rotationMinutes} minutes after a rotation, the call gets \`rotated_recently\`.`,
  examples: [
    {
      summary: 'Start',
      body: { keyVersion: VAULT.keyVersion },
      res: { keyVersion: VAULT.keyVersion },
    },
  ],
});
