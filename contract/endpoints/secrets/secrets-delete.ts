import * as z from 'zod/mini';
import { CHANGE_VAULT, EDITOR, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { secretKey } from '../../fields/fields.ts';
import { DELETED, SECRET_ID } from '../../http/examples.ts';
import { ofSecret, restorableUntil, secretId } from '../../shapes/common.ts';

export const secretsDelete = endpoint({
  id: 'secrets-delete',
  route: { method: 'DELETE', path: PATHS.secret },
  access: EDITOR,
  params: ofSecret,
  reply: z.object({ secretId, key: secretKey, restorableUntil }),
  errors: ['secret_not_found', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: CHANGE_VAULT,
  summary: 'Delete a secret',
  description: 'The next read no longer finds the secret. It can be restored for seven days.',
  examples: [
    {
      summary: 'A secret',
      params: { secretId: SECRET_ID },
      res: { secretId: SECRET_ID, key: 'DATABASE_URL', restorableUntil: DELETED.restorableUntil },
    },
  ],
});
