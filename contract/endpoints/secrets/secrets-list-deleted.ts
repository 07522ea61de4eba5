import * as z from 'zod/mini';
import { MANY_ROWS, PATHS, READ_VAULT, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { paging, search } from '../../fields/query.ts';

export const secretsListDeleted = endpoint({
  id: 'secrets-list-deleted',
  route: { method: 'GET', path: PATHS.deletedSecrets },
  access: VIEWER,
  query: strictFields({
    secretId: z.optional(search('Only the secret with this id, if it is deleted and can be restored.')),
    ...paging,
  }),
  errors: [],
  ...MANY_ROWS,
  grants: [...READ_VAULT, { on: 'table', actions: ['Query'], partitions: ['vault'] }],
  summary: 'List deleted secrets that can be restored',
});
