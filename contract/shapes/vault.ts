import * as z from 'zod/mini';
import { described, flag, freeObject } from '../fields/fields.ts';
import { wholeNumber } from '../fields/query.ts';
import { count, operator, time } from './common.ts';

/** The state of the vault, without its secrets. */
export const vaultShape = z.object({
  revision: count('Number of the current revision.'),
  changedAt: time('When it was made.'),
  changedBy: operator('Who made it.'),
  secrets: count('Number of secrets.'),
  bytes: count('Size of their values.'),
  keyVersion: count('Version of the key pair that new values are encrypted to.'),
  reencrypted: flag(
    'Whether every current value is encrypted to this key pair. `false` until a rotation, or the one after a restored revision, is complete.',
  ),
  stopped: described(
    z.nullable(
      z.object({
        at: time('When it was stopped.'),
        by: operator('Who stopped it.'),
        reason: described(z.string(), 'Why it was stopped.'),
      }),
    ),
    'Set while no secrets are released; otherwise `null`.',
  ),
});

/** A revision of the vault. */
export const revisionRow = z.object({
  revision: count('Number of the revision.'),
  changedAt: time('When it was made.'),
  changedBy: operator('Who made it.'),
  change: described(
    z.nullable(
      z.object({
        action: z.string(),
        subject: z.string(),
        name: z.string(),
        details: freeObject('Further details, never a value.'),
      }),
    ),
    'What was changed, as in the audit log; `null` if it has no entry.',
  ),
  secrets: count('Number of secrets.'),
});

/** Path parameter. */
export const ofRevision = z.object({
  revision: wholeNumber(1, Number.MAX_SAFE_INTEGER, 'Number of a revision of the vault.'),
});
