import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS, SIGN } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described, freeObject, strictFields, text } from '../../fields/fields.ts';
import { BASE_LIMITS, keyName, limitFields } from '../../fields/key-limits.ts';
import { LIMITS } from '../../limits.ts';
import { keyId } from '../../shapes/common.ts';

export const keysCreate = endpoint({
  id: 'keys-create',
  route: { method: 'POST', path: PATHS.keys },
  access: ADMIN,
  body: strictFields(
    {
      name: keyName,
      kind: z.optional(
        described(
          z.enum(['key', 'trust'], { error: 'must be "key" or "trust"' }),
          'A `trust` has no key: its callers send a token of `issuer` whose claims have the values of `match`. By default a `key`.',
        ),
      ),
      issuer: z.optional(
        text(LIMITS.issuerBytes, 'The issuer of the tokens of a trust, exactly as its tokens name it.'),
      ),
      match: z.optional(
        freeObject(
          'The claims that a token of a trust must have: a JSON Pointer such as `/repository_id`, and a value, or a list of values of which one must be equal. Types are compared strictly.',
          LIMITS.matchBytes,
        ),
      ),
      jwks: z.optional(
        freeObject(
          'The public keys of an issuer that cannot be reached, such as a private cluster, as a JWK set. They serve this trust alone, and are never refreshed.',
          LIMITS.issuerDocumentBytes,
        ),
      ),
      ...limitFields,
      permissions: BASE_LIMITS.permissions.schema,
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
    { on: 'job', job: 'issuer-keys', actions: ['InvokeFunction'] },
    ...SIGN,
  ],
  summary: 'Create an API key or a trust',
});
