import * as z from 'zod/mini';
import { CHANGE_VAULT, EDITOR, GUARD_ACCESS, PATHS, REPLACE_VALUE, SEAL } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described, flag, secretKey, tags } from '../../fields/fields.ts';
import { confirmAccess } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { LIMITS } from '../../limits.ts';
import { count } from '../../shapes/common.ts';

export const secretsImport = endpoint({
  id: 'secrets-import',
  route: { method: 'POST', path: `${PATHS.secrets}/import` },
  access: EDITOR,
  query: strictFields({ confirm: confirmAccess }),
  body: strictFields(
    {
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
  reply: z.object({
    stored: flag('Whether the secrets were stored. `false` only in a dry run.'),
    created: described(z.array(secretKey), 'Keys of new secrets.'),
    updated: described(z.array(secretKey), 'Keys of secrets that get a new value.'),
    assignments: described(
      z.array(
        z.object({
          line: count('Line number, starting at 1.'),
          key: secretKey,
          isNew: flag('Whether it is a new secret.'),
        }),
      ),
      'Each assignment with the line it begins on. Only in a dry run.',
    ),
    problems: described(
      z.array(z.object({ line: count('Line number, starting at 1.'), message: z.string() })),
      'The errors in the text, line by line. Only in a dry run.',
    ),
    widened: described(
      z.array(z.string()),
      'Names of API keys that could then read secrets which they cannot read now. Only in a dry run.',
    ),
  }),
  errors: ['invalid_env', 'would_widen_access', 'vault_full', 'changed_meanwhile'],
  memoryMb: 1769,
  timeoutSeconds: 29,
  grants: [...CHANGE_VAULT, ...GUARD_ACCESS, ...SEAL, ...REPLACE_VALUE],
  summary: 'Import secrets from a .env text',
  description:
    'All or nothing: a text with errors is rejected, and the error names each line. Comments, blank lines, `export`, and values in single, double or back quotes, including multi-line values, are read as dotenv reads them. Lines that dotenv would skip silently are errors here, and so is a key that appears twice. A new key becomes a new secret; an existing key gets a new value. Tags that would let API keys with a tag restriction read existing secrets need an administrator, with `confirm=true`.',
  examples: [
    {
      summary: 'A preview',
      body: { text: 'DATABASE_URL=postgres://app@db/app\noops\n', dryRun: true },
      res: {
        stored: false,
        created: ['DATABASE_URL'],
        updated: [],
        assignments: [{ line: 1, key: 'DATABASE_URL', isNew: true }],
        problems: [{ line: 2, message: 'is not of the form KEY=value' }],
        widened: [],
      },
    },
    {
      summary: 'An import',
      body: { text: 'DATABASE_URL=postgres://app@db/app', tags: ['database'] },
      res: {
        stored: true,
        created: ['DATABASE_URL'],
        updated: [],
        assignments: [],
        problems: [],
        widened: [],
      },
    },
  ],
});
