import * as z from 'zod/mini';
import { described, flag, secretKey } from '../fields/fields.ts';
import { utcDay } from '../fields/query.ts';
import { count, operator, restorableUntil, secretId, time } from './common.ts';

/** A secret without its value. */
export const secretShape = z.object({
  secretId,
  key: secretKey,
  tags: z.array(z.string()),
  number: count('Number of the current value. A number is never used twice.'),
  createdAt: time('When it was created.'),
  createdBy: operator('Who created it.'),
  changedAt: time('When its value was last changed.'),
  changedBy: operator('Who last changed its value.'),
  note: z.optional(described(z.string(), 'A note by operators.')),
  rotateBy: z.optional(utcDay('The day (UTC) by which it needs a new value.')),
  switchedOff: z.optional(
    described(
      z.object({
        upTo: count('Number of the last value whose credential is switched off.'),
        at: time('When this was recorded.'),
        by: operator('Who recorded it.'),
      }),
      'Operators recorded that the credentials in earlier values no longer work.',
    ),
  ),
});

export const lastReadShape = z.nullable(
  described(
    z.object({ at: time('When it was read.'), apiKeyId: z.string(), apiKeyName: z.string() }),
    'Its last read within the last 30 days, or `null`.',
  ),
);

export const secretRow = z.extend(secretShape, { lastRead: lastReadShape });

/** An API key that can read a secret, or did so recently. */
export const secretReader = z.object({
  apiKeyId: z.string(),
  apiKeyName: z.string(),
  allowed: flag('Whether the key can read the secret now.'),
  reads: count('How many of its reads within the last 30 days returned the secret.'),
  lastAt: z.nullable(time('The last of them, or `null`.')),
  number: z.nullable(count('Number of the value it received last, or `null` if unknown.')),
});

/** A value that can be rolled back to. */
export const earlierValueShape = z.object({
  number: count('Number of the value.'),
  changedAt: time('When it became the current value.'),
  changedBy: operator('Who set it.'),
  replacedAt: time('When it was replaced.'),
});

export const deletedSecret = z.extend(secretShape, {
  deletedAt: time('When it was deleted.'),
  deletedBy: operator('Who deleted it.'),
  restorableUntil,
});
