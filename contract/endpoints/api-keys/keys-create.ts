import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS, SIGN } from '../../admin.ts';
import { endpoint, PERMISSIONS } from '../../endpoint.ts';
import { described, strictFields } from '../../fields/fields.ts';
import { keyExpiry, keyLabels, keyName, keyPrompts, keyTags } from '../../fields/key-fields.ts';
import { LIMITS } from '../../limits.ts';
import { keyId } from '../../shapes/common.ts';

const NAMED = '"prompts", "secrets" or "publish"';

export const keysCreate = endpoint({
  id: 'keys-create',
  route: { method: 'POST', path: PATHS.keys },
  access: ADMIN,
  body: strictFields(
    {
      name: keyName,
      permissions: z
        .array(z.enum(PERMISSIONS, { error: `must be ${NAMED}` }), {
          error: `must be an array of ${NAMED}`,
        })
        .check(
          z.minLength(1, { error: `must contain at least one of ${NAMED}` }),
          z.meta({
            description:
              '`prompts` fetches prompts, `secrets` fetches secrets, `publish` publishes prompts from code.',
          }),
        ),
      tags: z.optional(keyTags),
      prompts: z.optional(keyPrompts),
      labels: z.optional(keyLabels),
      cidrs: z.optional(
        z
          .array(z.string({ error: 'must be an address range' }), { error: 'must be an array of strings' })
          .check(
            z.maxLength(LIMITS.keyCidrs, { error: `must contain at most ${LIMITS.keyCidrs} address ranges` }),
            z.meta({ description: 'Address ranges that may use the key, such as 203.0.113.0/24.' }),
          ),
      ),
      expiresAt: z.optional(keyExpiry),
      replaces: z.optional(
        described(
          keyId,
          'Id of the key that the new one replaces. That key keeps working until it is revoked; lists show its successor.',
        ),
      ),
    },
    { error: 'The body must be a JSON object, such as {"name": "web", "permissions": ["prompts"]}.' },
  ),
  errors: ['api_key_not_found', 'too_many_restricted_keys', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['apiKey', 'restrictions'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    ...SIGN,
  ],
  summary: 'Create an API key',
});
