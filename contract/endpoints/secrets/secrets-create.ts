import * as z from 'zod/mini';
import { CHANGE_VAULT, EDITOR, ENCRYPT_VALUES, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { inEnvironment, secretKey, secretValue, strictFields, tags } from '../../fields/fields.ts';

export const secretsCreate = endpoint({
  id: 'secrets-create',
  route: { method: 'POST', path: PATHS.secrets },
  access: EDITOR,
  body: strictFields(
    { ...inEnvironment, key: secretKey, value: secretValue, tags: z.optional(tags('Tags of the secret.')) },
    { error: 'The body must be a JSON object with "key" and "value".' },
  ),
  errors: ['environment_not_found', 'secret_key_taken', 'vault_full', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['ConditionCheckItem'], partitions: ['operator'] },
    ...CHANGE_VAULT,
    ...ENCRYPT_VALUES,
  ],
  summary: 'Store a secret',
});
