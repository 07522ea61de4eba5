import * as z from 'zod/mini';
import { CHANGE_VAULT, EDITOR, FEW_ROWS, PATHS, SEAL } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { secretKey, secretValue, tags } from '../../fields/fields.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { SECRET } from '../../http/examples.ts';
import { secretShape } from '../../shapes/secrets.ts';

export const secretsCreate = endpoint({
  id: 'secrets-create',
  route: { method: 'POST', path: PATHS.secrets },
  access: EDITOR,
  body: strictFields(
    { key: secretKey, value: secretValue, tags: z.optional(tags('Tags of the secret.')) },
    { error: 'The body must be a JSON object with "key" and "value".' },
  ),
  reply: z.object({ secret: secretShape }),
  errors: ['secret_key_taken', 'vault_full', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [...CHANGE_VAULT, ...SEAL],
  summary: 'Store a secret',
  description: "The value is encrypted to the vault's public key. No operation for operators returns it.",
  examples: [
    {
      summary: 'A secret',
      body: { key: 'DATABASE_URL', value: 'postgres://app@db/app', tags: ['database'] },
      res: { secret: SECRET },
    },
  ],
});
