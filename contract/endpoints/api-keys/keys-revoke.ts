import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { KEY, KEY_ID } from '../../http/examples.ts';
import { ofKey } from '../../shapes/common.ts';
import { keyShape } from '../../shapes/keys.ts';

export const keysRevoke = endpoint({
  id: 'keys-revoke',
  route: { method: 'DELETE', path: PATHS.key },
  access: ADMIN,
  params: ofKey,
  reply: z.object({ key: keyShape }),
  errors: ['api_key_not_found', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'UpdateItem'], partitions: ['apiKey'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  ],
  summary: 'Revoke an API key',
  description:
    'Takes effect with the next request and cannot be undone. Revoking a revoked key changes nothing.',
  examples: [
    {
      summary: 'A key',
      params: { keyId: KEY_ID },
      res: {
        key: {
          ...KEY,
          status: 'revoked',
          revokedAt: '2026-03-01T12:00:00.000Z',
          revokedBy: 'ada@example.com',
        },
      },
    },
  ],
});
