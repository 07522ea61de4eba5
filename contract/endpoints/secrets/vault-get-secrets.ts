import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { described, inEnvironment, secretKey, tags } from '../../fields/fields.ts';
import { onTable } from '../../table.ts';

/** Fields that existing clients send. They are ignored; every other field that is not a filter is rejected. */
const IGNORED = ['source', 'metaProperties'] as const;

const ignored = z.optional(described(z.unknown(), 'Ignored.'));

const NAME_CHARACTERS = 64;

const bodyError = ({
  code,
  keys,
}: {
  readonly code?: string | undefined;
  readonly keys?: unknown;
}): string => {
  if (code !== 'unrecognized_keys') return 'must be a JSON object; {} asks for every secret';
  const name = String((keys as readonly string[])[0]).slice(0, NAME_CHARACTERS);
  return `"${name}" is not a filter. Send "key", "tags", both or neither, "environment", and "nonEmpty" if nothing found is an error; ${IGNORED.map((field) => `"${field}"`).join(' and ')} are ignored.`;
};

// A misspelled or null filter must not return the whole vault.
const body = z.strictObject(
  {
    key: z.optional(secretKey),
    ...inEnvironment,
    tags: z.optional(tags('Only secrets that have all of these tags. An empty array does not filter.')),
    nonEmpty: z.optional(
      described(z.boolean(), 'Answer with 404 instead of an empty object. @default false'),
    ),
    source: ignored,
    metaProperties: ignored,
  } satisfies Record<'key' | 'environment' | 'tags' | 'nonEmpty' | (typeof IGNORED)[number], unknown>,
  { error: bodyError },
);

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
