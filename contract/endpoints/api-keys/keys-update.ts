import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS, SIGN } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { keyName, limitFields } from '../../fields/key-limits.ts';
import { ofKey } from '../../shapes/common.ts';

export const keysUpdate = endpoint({
  id: 'keys-update',
  route: { method: 'PATCH', path: PATHS.key },
  access: ADMIN,
  params: ofKey,
  body: strictFields(
    { name: z.optional(keyName), ...limitFields },
    { error: 'The body must be a JSON object, such as {"tags": ["production"]}.' },
  ),
  errors: ['api_key_not_found', 'too_many_restricted_keys', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['apiKey', 'restrictions'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    ...SIGN,
  ],
  summary: 'Rename or narrow an API key',
});
