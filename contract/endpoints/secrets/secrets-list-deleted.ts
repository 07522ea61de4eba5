import * as z from 'zod/mini';
import { MANY_ROWS, PATHS, READ_VAULT, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { nextCursor, paging, search } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { DELETED, SECRET } from '../../http/examples.ts';
import { deletedSecret } from '../../shapes/secrets.ts';

export const secretsListDeleted = endpoint({
  id: 'secrets-list-deleted',
  route: { method: 'GET', path: PATHS.deletedSecrets },
  access: VIEWER,
  query: strictFields({
    secretId: z.optional(search('Only the secret with this id, if it is deleted and can be restored.')),
    ...paging,
  }),
  reply: z.object({ secrets: z.array(deletedSecret), cursor: nextCursor }),
  errors: [],
  ...MANY_ROWS,
  grants: [...READ_VAULT, { on: 'table', actions: ['Query'], partitions: ['vault'] }],
  summary: 'List deleted secrets that can be restored',
  description: 'Most recently deleted first, without values.',
  examples: [{ summary: 'One secret', res: { secrets: [{ ...SECRET, ...DELETED }] } }],
});
