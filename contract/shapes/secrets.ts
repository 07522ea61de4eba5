import * as z from 'zod/mini';
import { count, operator, optional, optionalString, secretId, time } from '../fields/common.ts';
import { utcDay } from '../fields/query.ts';
import { environmentName, secretKey } from '../fields/secrets.ts';

/** A secret, without its value. */
export const secretShape = z.object({
  environment: environmentName,
  secretId,
  key: secretKey,
  tags: z.array(z.string()),
  number: count('Number of the current value. A number is never used twice.'),
  createdAt: time('When it was created.'),
  createdBy: operator('Who created it.'),
  changedAt: time('When its value was last changed.'),
  changedBy: operator('Who last changed its value.'),
  note: optionalString('A note by operators.'),
  rotateBy: z.optional(utcDay('The day (UTC) by which it needs a new value.')),
  switchedOff: optional(
    z.object({
      upTo: count('Number of the last value whose credential is switched off.'),
      at: time('When this was recorded.'),
      by: operator('Who recorded it.'),
    }),
    'Operators recorded that the credentials in earlier values no longer work.',
  ),
});
