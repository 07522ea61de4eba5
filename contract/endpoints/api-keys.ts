import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { PERMISSIONS } from '../fields/access.ts';
import { keyId, oneOf, optional } from '../fields/common.ts';
import { freeObject, strictFields, text } from '../fields/fields.ts';
import { BASE_LIMITS, keyName, limitFields } from '../fields/key-limits.ts';
import { orderFrom, paging, search } from '../fields/query.ts';
import {
  AUDIT_CHANGE,
  LIST_KEY_USES,
  LIST_PROMPTS,
  READ_DAYS,
  READ_VAULT,
  SIGN,
} from '../functions/shared-grants.ts';
import { LIMITS } from '../limits.ts';
import { onIndex, onTable } from '../table.ts';
import { admin, MANY_ROWS, PATHS, viewer } from './for-operators.ts';

export const whoami = endpoint({
  id: 'whoami',
  route: { method: 'GET', path: '/api/whoami' },
  access: { kind: 'api-key', permission: PERMISSIONS, publishing: true },
  grants: [onTable('GetItem', 'apiKey', 'issuerKeys'), onTable('PutItem', 'auditRefusal')],
  summary: 'Fetch who calls',
});

export const keysList = endpoint({
  id: 'keys-list',
  ...viewer('GET', PATHS.keys),
  query: strictFields({
    q: z.optional(search('Only keys with this id, or whose name or tags contain this text.')),
    status: z.optional(oneOf(['active', 'expired', 'revoked'], 'Only keys of this status.')),
    sort: z._default(oneOf(['created', 'name', 'used', 'expires'], 'What the list is sorted by.'), 'created'),
    order: orderFrom('desc'),
    ...paging,
  }),
  ...MANY_ROWS,
  grants: [LIST_KEY_USES, READ_DAYS, onTable('Query', 'auditRefusal')],
  summary: 'List API keys',
});

export const keysGet = endpoint({
  id: 'keys-get',
  ...viewer('GET', PATHS.key),
  batched: true,
  errors: ['api_key_not_found'],
  ...MANY_ROWS,
  grants: [
    LIST_PROMPTS,
    onTable('BatchGetItem', 'prompt'),
    onTable('GetItem', 'issuerKeys', 'apiKey', 'apiKeyUse', 'vaultUseNames'),
    onIndex('usageOfKey', 'watched'),
    READ_VAULT,
    onTable('Query', 'vaultUse', 'auditRefusal'),
  ],
  summary: 'Fetch an API key with what it may read and what it read',
});

export const keysReach = endpoint({
  id: 'keys-reach',
  ...viewer('POST', `${PATHS.keys}/reach`),
  body: strictFields({
    permissions: BASE_LIMITS.permissions.schema,
    prompts: limitFields.prompts,
    tags: limitFields.tags,
    environments: limitFields.environments,
  }),
  ...MANY_ROWS,
  grants: [LIST_PROMPTS, READ_VAULT],
  summary: 'Show what a key with these limits would reach',
});

export const keysCreate = endpoint({
  id: 'keys-create',
  ...admin('POST', PATHS.keys),
  body: strictFields({
    name: keyName,
    kind: optional(
      z.enum(['key', 'trust'], 'must be "key" or "trust"'),
      'A `trust` has no key: its callers send a token of `issuer` whose claims have the values of `match`. By default a `key`.',
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
    replaces: optional(
      keyId,
      'Id of the key that the new one replaces. That key keeps working until it is revoked; lists show its successor.',
    ),
    requestId: z.optional(
      text(
        LIMITS.requestIdBytes,
        'Any text that is unique to this request, such as a UUID. Sent again by the same operator, it creates no second key: the reply has the first one with `repeated`, and no `apiKey`. Refused if that one is revoked, or differs from what is asked for.',
      ),
    ),
  }),
  errors: ['api_key_not_found', 'too_many_restricted_keys', 'changed_meanwhile'],
  grants: [
    onTable(['GetItem', 'PutItem'], 'apiKey', 'restrictions'),
    AUDIT_CHANGE,
    { on: 'job', job: 'issuer-keys', actions: ['InvokeFunction'] },
    SIGN,
  ],
  summary: 'Create an API key or a trust',
});

export const keysUpdate = endpoint({
  id: 'keys-update',
  ...admin('PATCH', PATHS.key),
  body: strictFields({ name: z.optional(keyName), ...limitFields }),
  errors: ['api_key_not_found', 'too_many_restricted_keys', 'changed_meanwhile'],
  grants: [onTable(['GetItem', 'PutItem'], 'apiKey', 'restrictions'), AUDIT_CHANGE, SIGN],
  summary: 'Rename or narrow an API key',
});

export const keysRevoke = endpoint({
  id: 'keys-revoke',
  ...admin('DELETE', PATHS.key),
  errors: ['api_key_not_found', 'changed_meanwhile'],
  grants: [onTable(['GetItem', 'UpdateItem'], 'apiKey'), AUDIT_CHANGE],
  summary: 'Revoke an API key',
});
