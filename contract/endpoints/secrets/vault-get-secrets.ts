import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { described, strictFields, tags } from '../../fields/fields.ts';
import { inEnvironment, secretKey } from '../../fields/secrets.ts';
import { onTable } from '../../table.ts';

/** A field that existing clients send; every other one that is not a filter is rejected. */
const ignored = z.optional(described(z.unknown(), 'Ignored.'));

// A misspelled or null filter must not return the whole vault.
const body = strictFields({
  key: z.optional(secretKey),
  ...inEnvironment,
  tags: z.optional(tags('Only secrets that have all of these tags. An empty array does not filter.')),
  nonEmpty: z.optional(described(z.boolean(), 'Answer with 404 instead of an empty object. @default false')),
  source: ignored,
  metaProperties: ignored,
});

export const vaultGetSecrets = endpoint({
  id: 'vault-get-secrets',
  route: { method: 'POST', path: '/api/vault/get-secrets' },
  access: { kind: 'api-key', permission: 'secrets' },
  body,
  errors: [
    'environment_required',
    'environment_not_found',
    'secret_not_found',
    'vault_stopped',
    'reply_too_large',
  ],
  memoryMb: 1024,
  timeoutSeconds: 15,
  grants: [
    onTable('BatchGetItem', 'apiKey', 'vault'),
    onTable('GetItem', 'vaultKey', 'vaultPage', 'issuerKeys'),
    onTable('PutItem', 'auditRead', 'entryShards', 'auditRefusal'),
    { on: 'vault-key', actions: ['Decrypt'] },
  ],
  summary: 'Fetch secrets',
});
