import * as z from 'zod/mini';
import {
  anyText,
  arrayOf,
  count,
  keyId,
  optional,
  optionalString,
  secretId,
  string,
  strings,
  time,
} from '../fields/common.ts';
import { flag, promptId } from '../fields/fields.ts';
import { limitShapes } from '../fields/key-limits.ts';
import { nextCursor } from '../fields/query.ts';
import { environmentName } from '../fields/secrets.ts';
import { LIMITS } from '../limits.ts';
import { keyRow, keyShape, refusedShape } from '../shapes/keys.ts';
import { failingShape } from '../shapes/prompts.ts';

/** How much of something a key may read by its permissions and limits. */
const reach = (what: string) =>
  z.object({
    allowed: count(`Number of ${what} that the permissions and limits of the key allow.`),
    total: count(`Number of all ${what}.`),
    more: z.optional(flag(`Whether there are further ${what}, which are not counted.`)),
  });

const reachNamed = (what: string) =>
  z.extend(reach(what), {
    first: strings('The names of the first 20 that are allowed, of secrets with their environment.'),
  });

const reachUsed = (what: string) =>
  z.extend(reach(what), {
    unread: z.object({
      total: count(`Number of ${what} that it may read and did not read in these days.`),
      first: strings('The names of the first 20 of these.'),
    }),
  });

export const apiKeys = {
  whoami: {
    reply: {
      keyId,
      name: anyText,
      ...limitShapes,
      address: string('The address from which the call came.'),
      at: time('When the service received the call.'),
    },
    description:
      'Returns the id, the name and the limits of the API key or trust that calls, whatever its permissions. Writes nothing: it does not count as a use of the key.',
    examples: [
      {
        summary: 'A key for prompts',
        res: {
          keyId: 'Ab3dEf7h',
          name: 'billing',
          permissions: ['prompts'],
          tags: [],
          prompts: ['support/*'],
          cidrs: [],
          expiresAt: '2030-01-31T00:00:00.000Z',
          address: '203.0.113.7',
          at: '2026-01-01T00:00:00.000Z',
        },
      },
    ],
  },
  'keys-list': {
    reply: {
      keys: z.array(keyRow),
      total: count('Number of matching keys across all pages.'),
      cursor: nextCursor,
    },
    description:
      'Newest first by default, including expired and revoked keys, with the last use and the number of calls of each. A new key can take a moment to appear.',
  },
  'keys-get': {
    reply: {
      key: keyRow,
      prompts: reachUsed('prompts'),
      secrets: reachUsed('secrets'),
      fetched: arrayOf(
        z.object({
          promptId,
          name: anyText,
          fetches: count('Fetches with the key in these days (UTC).'),
          lastAt: time('The last of them.'),
        }),
        'Prompts that it fetched in the last 30 days, or those before it was revoked, most fetched first.',
      ),
      read: arrayOf(
        z.object({
          secretId,
          key: anyText,
          environment: environmentName,
          reads: count('Reads in these days (UTC) that returned the secret to the key.'),
          lastAt: time('The last of them.'),
          known: flag(
            'Whether whoever has the key may know the current value: none was saved since the last read or, if that is later, the revocation, or an earlier one was made current again.',
          ),
        }),
        'Secrets that it read in the last 30 days, or those before it was revoked, by key.',
      ),
      failing: arrayOf(
        z.extend(
          z.pick(failingShape, {
            code: true,
            reason: true,
            label: true,
            version: true,
            calls: true,
            lastAt: true,
          }),
          {
            promptId,
            name: anyText,
          },
        ),
        `Its calls that failed in the last ${LIMITS.failingDays} days, or were served with a placeholder left, by prompt and reason, latest first.`,
      ),
      refused: arrayOf(refusedShape, 'Calls refused in the last 30 days, by reason and claim, latest first.'),
      issuerKeys: optional(
        z.object({
          count: count('Number of public keys of the issuer.'),
          at: time('When they last changed, as far as was seen.'),
          problem: optionalString('Why they could not be fetched last.'),
        }),
        'What is known of the issuer of a trust whose keys are fetched. Absent until they are.',
      ),
    },
    description:
      'A key without the key itself: how much it may read, which prompts and secrets it read in the last 30 days, or in those before it was revoked, and why it was refused.',
  },
  'keys-reach': {
    reply: { prompts: reachNamed('prompts'), secrets: reachNamed('secrets') },
    description:
      'What a key with these permissions and limits could read or publish of what there is now. Writes nothing.',
    request: { body: { permissions: ['prompts'], prompts: ['support/*'] } },
  },
  'keys-create': {
    reply: {
      apiKey: optionalString(
        'The key itself. Only this reply contains it; it is not stored. Absent for a trust, and in a repetition.',
      ),
      repeated: optional(
        z.literal(true),
        'The request with this `requestId` has created the key before. If its reply was lost, revoke it and create another one.',
      ),
      key: keyShape,
    },
    description: 'Only the reply contains the key itself. It cannot be shown again.',
    request: { body: { name: 'web', permissions: ['prompts', 'secrets'] } },
  },
  'keys-update': {
    reply: { key: keyShape },
    description:
      'Renames a key, or narrows what it can read and how long: it can only gain tags, lose prompts and labels, and expire earlier. Takes effect with the next request. To allow more, create another key.',
    request: { body: { tags: ['production'] } },
  },
  'keys-revoke': {
    reply: { key: keyShape },
    description:
      'Takes effect with the next request and cannot be undone. Revoking a revoked key changes nothing.',
  },
};
