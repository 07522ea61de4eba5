import * as z from 'zod/mini';
import { count, keyId, operator, time } from './common.ts';

/** Everything about an API key but the key. */
export const keyShape = z.object({
  keyId,
  name: z.string(),
  permissions: z.array(z.enum(['prompts', 'secrets'])),
  tags: z
    .array(z.string())
    .check(z.meta({ description: 'It sees only secrets that carry all of these; empty: every secret.' })),
  cidrs: z
    .array(z.string())
    .check(z.meta({ description: 'Source addresses that it may be used from; empty: any.' })),
  status: z.enum(['active', 'expired', 'revoked']),
  createdAt: time('When it was created.'),
  createdBy: operator('Who created it.'),
  expiresAt: z.optional(time('From when on it is refused.')),
  revokedAt: z.optional(time('When it was revoked.')),
  revokedBy: z.optional(operator('Who revoked it.')),
});

export const keyRow = z.extend(keyShape, {
  lastUsedAt: z.nullable(time('Its last use, exact to the hour; null if it was never used.')),
  calls: z.object({
    prompts: count('Prompts fetched with it on the last seven days (UTC).'),
    secrets: count('Releases of secrets to it on the last seven days (UTC).'),
  }),
});
