import * as z from 'zod/mini';
import { anyText, count, keyId, operator, optional, optionalString, string, time } from '../fields/common.ts';
import { described, freeObject } from '../fields/fields.ts';
import { limitShapes } from '../fields/key-limits.ts';
import { REFUSALS, type RefusalReason } from '../http/errors.ts';

export const keyShape = z.object({
  keyId,
  name: anyText,
  kind: described(z.enum(['key', 'trust']), 'Whether its callers send a key, or a token of an issuer.'),
  issuer: optionalString('The issuer of the tokens of a trust.'),
  match: z.optional(freeObject('The claims that its tokens must have, each with a list of values.')),
  jwks: optional(
    z.array(freeObject('A public key.')),
    'The public keys that were given with the trust; lists leave them out.',
  ),
  audience: optionalString('The audience that the tokens of a trust must have.'),
  ...limitShapes,
  status: z.enum(['active', 'expired', 'revoked']),
  createdAt: time('When it was created.'),
  createdBy: operator('Who created it.'),
  replaces: optionalString('Id of the key that it replaces.'),
  revokedAt: z.optional(time('When it was revoked.')),
  revokedBy: z.optional(operator('Who revoked it.')),
});

/** Refused calls of a key for one reason. */
export const refusedShape = z.object({
  keyId,
  name: anyText,
  reason: z.enum(Object.keys(REFUSALS) as RefusalReason[]),
  minutes: count('Number of minutes with such calls: the audit log has one entry for each.'),
  lastAt: time('The first such call in the last of these minutes.'),
  claim: optional(
    z.object({
      pointer: string('JSON Pointer of the claim.'),
      wanted: string('The values that the trust allows, as JSON.'),
      got: string('The value in the token, as JSON, cut after 256 bytes.'),
    }),
    'The claim of a token that differs from what the trust demands.',
  ),
  asked: optionalString(
    'The prompt, or the key and the tags of secrets, that this call asked for. Absent for every secret.',
  ),
});

export const keyRow = z.extend(keyShape, {
  replacedBy: optional(
    z.object({ keyId, name: anyText, createdAt: time('When it was created.') }),
    'Its latest successor that is not revoked; only in lists.',
  ),
  lastUsedAt: z.nullable(time('Last successful call; `null` if the key was never used.')),
  calls: z.object({
    prompts: count('Prompts fetched with the key in the last 30 days (UTC).'),
    secrets: count('Calls of the key that returned secrets in the last 30 days (UTC).'),
  }),
  refused: optional(
    z.pick(refusedShape, { reason: true, minutes: true, lastAt: true, asked: true, claim: true }),
    'The latest reason for which it was refused in the last 30 days.',
  ),
});
