import * as z from 'zod/mini';
import { CHANGE_VAULT, EDITOR, FEW_ROWS, PATHS, REPLACE_VALUE } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { inEnvironment, revision, strictFields } from '../../fields/fields.ts';
import { ofSecret } from '../../shapes/common.ts';

export const secretsRollback = endpoint({
  id: 'secrets-rollback',
  route: { method: 'POST', path: `${PATHS.secret}/rollback` },
  access: EDITOR,
  params: ofSecret,
  body: strictFields(
    {
      ...inEnvironment,
      number: revision('The number of the earlier value.'),
      current: z.optional(
        revision(
          'The number of the value as you last read it. The request fails if another value is current.',
        ),
      ),
    },
    { error: 'The body must be a JSON object, such as {"number": 1}.' },
  ),
  errors: ['environment_not_found', 'secret_not_found', 'value_not_found', 'vault_full', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    ...CHANGE_VAULT,
    { on: 'table', actions: ['GetItem'], partitions: ['secret'] },
    ...REPLACE_VALUE,
    { on: 'table', actions: ['GetItem'], partitions: ['vaultKey'] },
  ],
  summary: 'Roll a secret back to an earlier value',
});
