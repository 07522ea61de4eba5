import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { secretKey, tags } from '../../fields/fields.ts';

const body = z.object(
  {
    key: z.optional(secretKey),
    tags: z.optional(tags('Only secrets that carry every one of these tags. An empty array is no filter.')),
  },
  { error: 'The body must be a JSON object; {} asks for every secret.' },
);

export const vaultGetSecrets = endpoint({
  id: 'vault-get-secrets',
  route: { method: 'POST', path: '/api/vault/get-secrets' },
  access: { kind: 'api-key', permission: 'secrets' },
  body,
  reply: z
    .record(z.string(), z.string())
    .check(z.meta({ description: 'Each secret: property name is its key, property value its value.' })),
  errors: ['secret_not_found', 'reply_too_large'],
  memoryMb: 1769,
  timeoutSeconds: 15,
  grants: [
    { on: 'table', actions: ['GetItem'], partitions: ['apiKey', 'vault', 'vaultKey', 'vaultPage'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditRead', 'vaultUseNames'] },
    { on: 'table', actions: ['UpdateItem'], partitions: ['vaultUse', 'apiKeyUse'] },
    { on: 'vault-key', actions: ['Decrypt'] },
  ],
  summary: 'Fetch secrets',
  description:
    'Returns all secrets, the one with the given `key`, or those that carry every one of `tags`; with both, both must hold. An unknown `key`, or one whose secret lacks a tag, is `secret_not_found`; tags alone that match nothing give an empty object. A key with a tag restriction sees only the secrets that carry all of its tags: the rest do not exist for it. The reply comes whole and from one revision of the vault, or not at all, and only after the read has been written to the audit log.',
  examples: [
    {
      summary: 'Everything',
      body: {},
      res: { DATABASE_URL: 'postgres://app@db/app', OPENAI_API_KEY: 'sk-sample' },
    },
    { summary: 'One secret', body: { key: 'DATABASE_URL' }, res: { DATABASE_URL: 'postgres://app@db/app' } },
    { summary: 'By tags', body: { tags: ['sample', 'llm'] }, res: { OPENAI_API_KEY: 'sk-sample' } },
  ],
});
