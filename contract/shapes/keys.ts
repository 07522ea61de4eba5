import * as z from 'zod/mini';
import { PERMISSIONS } from '../endpoint.ts';
import { described } from '../fields/fields.ts';
import { REFUSALS, type RefusalReason } from '../http/errors.ts';
import { count, keyId, operator, time } from './common.ts';

/** An API key without the key itself. */
export const keyShape = z.object({
  keyId,
  name: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
  tags: described(
    z.array(z.string()),
    'The key reads only secrets that have all of these tags. Empty: every secret.',
  ),
  prompts: described(
    z.array(z.string()),
    'Names of the prompts that the key can fetch and publish. One that ends in `*` allows all names with this beginning. Empty: every prompt.',
  ),
  cidrs: described(z.array(z.string()), 'Source addresses that may use the key. Empty: any.'),
  labels: z.optional(
    described(z.array(z.string()), 'The labels that a key which publishes may move. Absent: none.'),
  ),
  status: z.enum(['active', 'expired', 'revoked']),
  createdAt: time('When it was created.'),
  createdBy: operator('Who created it.'),
  expiresAt: z.optional(time('When the key expires.')),
  replaces: z.optional(described(z.string(), 'Id of the key that it replaces.')),
  revokedAt: z.optional(time('When it was revoked.')),
  revokedBy: z.optional(operator('Who revoked it.')),
});

/** Refused calls of a key for one reason. */
export const refusedShape = z.object({
  keyId,
  name: z.string(),
  reason: z.enum(Object.keys(REFUSALS) as RefusalReason[]),
  minutes: count('Number of minutes with such calls: the audit log has one entry for each.'),
  lastAt: time('The first such call in the last of these minutes.'),
  asked: z.optional(
    described(
      z.string(),
      'The prompt, or the key and the tags of secrets, that this call asked for. Absent for every secret.',
    ),
  ),
});

export const keyRow = z.extend(keyShape, {
  replacedBy: z.optional(
    described(
      z.object({ keyId, name: z.string(), createdAt: time('When it was created.') }),
      'Its latest successor that is not revoked.',
    ),
  ),
  lastUsedAt: z.nullable(time('Last successful call; `null` if the key was never used.')),
  calls: z.object({
    prompts: count('Prompts fetched with the key in the last seven days (UTC).'),
    secrets: count('Calls of the key that returned secrets in the last seven days (UTC).'),
  }),
  refused: z.optional(
    described(
      z.pick(refusedShape, { reason: true, minutes: true, lastAt: true, asked: true }),
      'The latest reason for which it was refused in the last seven days.',
    ),
  ),
});
