import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS, SIGN } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { tags, text } from '../../fields/fields.ts';
import { KEY } from '../../http/examples.ts';
import { LIMITS } from '../../limits.ts';
import { keyShape } from '../../shapes/keys.ts';

export const keysCreate = endpoint({
  id: 'keys-create',
  route: { method: 'POST', path: PATHS.keys },
  access: ADMIN,
  body: z.object(
    {
      name: text(128, 'Name of the key.'),
      permissions: z
        .array(z.enum(['prompts', 'secrets'], { error: 'must be "prompts" or "secrets"' }), {
          error: 'must be an array that contains "prompts", "secrets" or both',
        })
        .check(z.minLength(1, { error: 'must contain "prompts", "secrets" or both' })),
      tags: z.optional(tags('The key reads only secrets that have all of these tags. Empty: every secret.')),
      prompts: z.optional(
        z
          .array(text(LIMITS.promptNameBytes, 'Name of a prompt, or how names begin, followed by `*`.'), {
            error: 'must be an array of strings',
          })
          .check(
            z.maxLength(LIMITS.keyPrompts, { error: `must hold at most ${LIMITS.keyPrompts} names` }),
            z.meta({
              description:
                'The key fetches only prompts with these names, or with names that begin as those that end in `*`, such as `support/*`. For this key, other prompts do not exist. Empty: every prompt.',
            }),
          ),
      ),
      cidrs: z.optional(
        z
          .array(z.string({ error: 'must be an address range' }), { error: 'must be an array of strings' })
          .check(z.meta({ description: 'Address ranges that may use the key, such as 203.0.113.0/24.' })),
      ),
      expiresAt: z.optional(
        z.iso
          .datetime({ error: 'must be a time in UTC, such as "2030-01-31T00:00:00Z"' })
          .check(z.meta({ description: 'When the key expires. ISO 8601 in UTC.' })),
      ),
    },
    { error: 'The body must be a JSON object, such as {"name": "web", "permissions": ["prompts"]}.' },
  ),
  reply: z.object({
    apiKey: z
      .string()
      .check(z.meta({ description: 'The key itself. Only this reply contains it; it is not stored.' })),
    key: keyShape,
  }),
  errors: ['too_many_restricted_keys', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['apiKey', 'restrictions'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    ...SIGN,
  ],
  summary: 'Create an API key',
  description: 'Only the reply contains the key itself. It cannot be shown again.',
  examples: [
    {
      summary: 'A key',
      body: { name: 'web', permissions: ['prompts', 'secrets'] },
      res: { apiKey: 'cue_…', key: KEY },
    },
  ],
});
