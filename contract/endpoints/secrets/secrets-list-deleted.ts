import * as z from 'zod/mini';
import { MANY_ROWS, PATHS, READ_VAULT, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { inEnvironment, strictFields } from '../../fields/fields.ts';
import { paging, search } from '../../fields/query.ts';

export const secretsListDeleted = endpoint({
  id: 'secrets-list-deleted',
  route: { method: 'GET', path: PATHS.deletedSecrets },
  access: VIEWER,
  query: strictFields({
    ...inEnvironment,
    secretId: z.optional(search('Only the secret with this id, if it is deleted and can be restored.')),
    ...paging,
  }),
  errors: ['environment_not_found'],
  ...MANY_ROWS,
  grants: [...READ_VAULT, { on: 'table', actions: ['Query'], partitions: ['vault'] }],
  summary: 'List deleted secrets that can be restored',
});
