import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { described, secretKey, tags } from '../../fields/fields.ts';

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
  if (code !== 'unrecognized_keys') return 'The body must be a JSON object; {} asks for every secret.';
  const name = String((keys as readonly string[])[0]).slice(0, NAME_CHARACTERS);
  return `"${name}" is not a filter. Send "key", "tags", both or neither, and "nonEmpty" if nothing found is an error; ${IGNORED.map((field) => `"${field}"`).join(' and ')} are ignored.`;
};

// A misspelled or null filter must not return the whole vault.
const body = z.strictObject(
  {
    key: z.optional(secretKey),
    tags: z.optional(tags('Only secrets that have all of these tags. An empty array does not filter.')),
    nonEmpty: z.optional(
      described(z.boolean(), 'Answer with 404 instead of an empty object. @default false'),
    ),
    source: ignored,
    metaProperties: ignored,
  } satisfies Record<'key' | 'tags' | 'nonEmpty' | (typeof IGNORED)[number], unknown>,
  { error: bodyError },
);

export const vaultGetSecrets = endpoint({
  id: 'vault-get-secrets',
  route: { method: 'POST', path: '/api/vault/get-secrets' },
  access: { kind: 'api-key', permission: 'secrets' },
  body,
  reply: described(
    z.record(z.string(), z.string()),
    'One property per secret: its name is the key, its value the value.',
  ),
  errors: ['secret_not_found', 'vault_stopped', 'reply_too_large'],
  memoryMb: 1024,
  timeoutSeconds: 15,
  grants: [
    { on: 'table', actions: ['BatchGetItem'], partitions: ['apiKey', 'vault'] },
    { on: 'table', actions: ['GetItem'], partitions: ['vaultKey', 'vaultPage'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditRead', 'entryShards', 'auditRefusal'] },
    { on: 'vault-key', actions: ['Decrypt'] },
  ],
  summary: 'Fetch secrets',
  description:
    'Returns all secrets, the secret with the given `key`, or the secrets that have all of `tags`. With both, both must match. If `key` is unknown or its secret lacks a tag, the error is `secret_not_found`; if `tags` alone match nothing, the result is an empty object, or with `nonEmpty` the same error: use it where an empty result would delete values, as in a copy of the secrets elsewhere. A field that is not a filter, or a filter that is `null`, is an error, so that a mistyped filter never releases the whole vault; only `source` and `metaProperties` are ignored. An API key with a tag restriction sees only the secrets that have all of its tags; for this key, no others exist. The reply is complete and from a single revision of the vault, and it is sent only after the read is recorded in the audit log. While an administrator has stopped serving secrets, every call gets `vault_stopped`: this is not an outage, so do not use a copy.',
  examples: [
    {
      summary: 'Everything',
      body: {},
      res: { DATABASE_URL: 'postgres://app@db/app', OPENAI_API_KEY: 'sk-sample' },
    },
    { summary: 'One secret', body: { key: 'DATABASE_URL' }, res: { DATABASE_URL: 'postgres://app@db/app' } },
    { summary: 'By tags', body: { tags: ['sample', 'llm'] }, res: { OPENAI_API_KEY: 'sk-sample' } },
    {
      summary: 'By tags, and never nothing',
      body: { tags: ['sample'], nonEmpty: true },
      res: { DATABASE_URL: 'postgres://app@db/app', OPENAI_API_KEY: 'sk-sample' },
    },
  ],
});
