import * as z from 'zod/mini';
import { CHANGE_VAULT, EDITOR, ENCRYPT_VALUES, GUARD_ACCESS, PATHS, REPLACE_VALUE } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described, flag, inEnvironment, secretKey, strictFields, tags } from '../../fields/fields.ts';
import { confirmAccess } from '../../fields/query.ts';
import { LIMITS } from '../../limits.ts';

export const secretsImport = endpoint({
  id: 'secrets-import',
  route: { method: 'POST', path: `${PATHS.secrets}/import` },
  access: EDITOR,
  query: strictFields({ confirm: confirmAccess }),
  body: strictFields(
    {
      ...inEnvironment,
      text: described(z.string({ error: 'must be a string' }), 'Secrets in the format of a `.env` file.'),
      tags: z.optional(tags('Tags to add to each of the secrets.')),
      skip: z.optional(
        z
          .array(secretKey, { error: 'must be an array of strings' })
          .check(
            z.maxLength(LIMITS.vaultSecrets, { error: `must contain at most ${LIMITS.vaultSecrets} keys` }),
            z.meta({ description: 'Keys in the text that are not imported.' }),
          ),
      ),
      dryRun: z.optional(flag('When `true`, nothing is stored; the reply shows what an import would do.')),
    },
    { error: 'The body must be a JSON object, such as {"text": "KEY=value"}.' },
  ),
  bodyBytes: LIMITS.importBytes,
  errors: ['environment_not_found', 'invalid_env', 'would_widen_access', 'vault_full', 'changed_meanwhile'],
  memoryMb: 1769,
  timeoutSeconds: 29,
  grants: [...CHANGE_VAULT, ...GUARD_ACCESS, ...ENCRYPT_VALUES, ...REPLACE_VALUE],
  summary: 'Import secrets from a .env text',
});
