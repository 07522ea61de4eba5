import * as z from 'zod/mini';
import { CHANGE_VAULT, EDITOR, FEW_ROWS, GUARD_ACCESS, PATHS, REPLACE_VALUE, SEAL } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { revision, secretValue, tags } from '../../fields/fields.ts';
import { confirmAccess } from '../../fields/query.ts';
import { SECRET, SECRET_ID } from '../../http/examples.ts';
import { ofSecret } from '../../shapes/common.ts';
import { secretShape } from '../../shapes/secrets.ts';

const body = z
  .object(
    {
      value: z.optional(secretValue),
      tags: z.optional(tags('The new tags of the secret.')),
      number: z.optional(
        revision(
          'The number of the value as you last read it. The request fails if another value is current.',
        ),
      ),
      expectedTags: z.optional(
        tags('The tags as you last read them, in any order. The request fails if they have changed.'),
      ),
    },
    { error: 'The body must be a JSON object with "value", "tags" or both.' },
  )
  .check(
    z.refine(({ value, tags }) => value !== undefined || tags !== undefined, {
      error: 'Send "value", "tags" or both.',
    }),
  );

export const secretsUpdate = endpoint({
  id: 'secrets-update',
  route: { method: 'PATCH', path: PATHS.secret },
  access: EDITOR,
  params: ofSecret,
  query: z.object({ confirm: confirmAccess }),
  body,
  reply: z.object({ secret: secretShape }),
  errors: ['secret_not_found', 'would_widen_access', 'vault_full', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [...CHANGE_VAULT, ...GUARD_ACCESS, ...SEAL, ...REPLACE_VALUE],
  summary: 'Change the value or the tags of a secret',
  description:
    'The previous value is kept, as are up to ten earlier values. Tags that would let API keys with a tag restriction read the secret for the first time need an administrator, with `confirm=true`; the error names the keys.',
  examples: [
    {
      summary: 'A new value',
      params: { secretId: SECRET_ID },
      body: { value: 'postgres://app@db2/app', number: 1 },
      res: { secret: SECRET },
    },
    {
      summary: 'New tags, unless someone else has changed them',
      params: { secretId: SECRET_ID },
      body: { tags: SECRET.tags, expectedTags: [] },
      res: { secret: SECRET },
    },
  ],
});
