import * as z from 'zod/mini';
import { LIST_KEYS, LIST_PROMPTS, PATHS, READ_USAGE, READ_VAULT, READ_VAULT_USE, VIEWER } from '../admin.ts';
import { endpoint } from '../endpoint.ts';
import { described, flag, promptId, version } from '../fields/fields.ts';
import { utcDay, wholeNumber } from '../fields/query.ts';
import { strictFields } from '../fields/strict-fields.ts';
import { AUDIT, KEY_ID, PROMPT_ID, SECRET_ID } from '../http/examples.ts';
import { auditShape } from '../shapes/audit.ts';
import { count, keyId, secretId, time } from '../shapes/common.ts';
import { refusedShape } from '../shapes/keys.ts';

const keyToWatch = z.object({
  keyId,
  name: z.string(),
  lastUsedAt: z.nullable(time('Last successful call; `null` if the key was never used.')),
  expiresAt: z.optional(time('When the key expires.')),
});

export const overviewGet = endpoint({
  id: 'overview-get',
  route: { method: 'GET', path: PATHS.overview },
  access: VIEWER,
  query: strictFields({
    days: z._default(wholeNumber(1, 30, 'Number of days (UTC), including today.'), 30),
  }),
  reply: z.object({
    totals: z.object({
      prompts: count('Prompts.'),
      secrets: count('Secrets.'),
      keys: count('Active API keys.'),
      ownKeys: count('Those that an operator created: all but the one of the first local start.'),
      samples: count('Prompts and secrets with the tag `sample`.'),
    }),
    isInUse: flag(
      'Whether an application fetched something in the last 30 days, or earlier with a key that is active.',
    ),
    fetches: described(
      z.array(
        z.object({
          day: utcDay('The day.'),
          prompts: count('Prompts fetched.'),
          secrets: count('Calls that returned secrets.'),
        }),
      ),
      'One entry per day, oldest first.',
    ),
    topPrompts: described(
      z.array(z.object({ promptId, name: z.string(), fetches: count('Fetches in these days.') })),
      'The ten prompts fetched most often.',
    ),
    topVersions: described(
      z.array(z.object({ promptId, name: z.string(), version, fetches: count('Fetches in these days.') })),
      'The ten versions fetched most often.',
    ),
    unusedKeys: described(
      z.array(keyToWatch),
      'Active keys older than 30 days that were not used in the last 30 days; at most 20.',
    ),
    expiringKeys: described(
      z.array(keyToWatch),
      'Active keys that expire within 14 days, soonest first; at most 20.',
    ),
    refused: described(
      z.array(refusedShape),
      'Calls of known keys refused in the last 24 hours, by key and reason, latest first; at most 20.',
    ),
    unreadSecrets: z.object({
      total: count('Secrets older than 30 days that were not read in the last 30 days.'),
      first: described(z.array(z.object({ secretId, key: z.string() })), 'The first 20 of these, by key.'),
    }),
    secretsToRotate: z.object({
      total: count('Secrets that must be rotated within 14 days or should have been.'),
      first: described(
        z.array(z.object({ secretId, key: z.string(), rotateBy: utcDay('The day (UTC).') })),
        'The first 20 of these, by day.',
      ),
    }),
    unfinishedRotations: z.object({
      total: count(
        'Secrets with a new value and no record that the credential in the earlier one is disabled.',
      ),
      first: described(
        z.array(z.object({ secretId, key: z.string(), changedAt: time('When it got the new value.') })),
        'The first 20 of these, oldest first.',
      ),
    }),
    changes: described(z.array(auditShape), 'The last ten changes, without drafts.'),
  }),
  errors: [],
  memoryMb: 1769,
  timeoutSeconds: 20,
  grants: [
    ...LIST_PROMPTS,
    ...READ_USAGE,
    { on: 'table', actions: ['GetItem'], partitions: ['prompt', 'apiKeyUse'] },
    ...READ_VAULT,
    ...READ_VAULT_USE,
    ...LIST_KEYS,
    { on: 'table', actions: ['Query'], partitions: ['auditChange', 'auditRefusal'] },
  ],
  summary: 'Fetch the overview',
  description:
    'Fetches per day, the most fetched prompts and versions, unused keys and secrets, keys that expire soon, and the latest changes.',
  examples: [
    {
      summary: 'The last day',
      query: { days: '1' },
      res: {
        totals: { prompts: 1, secrets: 1, keys: 1, ownKeys: 1, samples: 0 },
        isInUse: true,
        fetches: [{ day: '2026-03-01', prompts: 12, secrets: 3 }],
        topPrompts: [{ promptId: PROMPT_ID, name: 'greeting', fetches: 12 }],
        topVersions: [{ promptId: PROMPT_ID, name: 'greeting', version: '1.1.0', fetches: 12 }],
        unusedKeys: [{ keyId: KEY_ID, name: 'old job', lastUsedAt: null }],
        expiringKeys: [],
        refused: [],
        secretsToRotate: {
          total: 1,
          first: [{ secretId: SECRET_ID, key: 'DATABASE_URL', rotateBy: '2026-03-05' }],
        },
        unfinishedRotations: { total: 0, first: [] },
        unreadSecrets: { total: 1, first: [{ secretId: SECRET_ID, key: 'DATABASE_URL' }] },
        changes: [AUDIT],
      },
    },
  ],
});
