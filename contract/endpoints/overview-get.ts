import * as z from 'zod/mini';
import { LIST_KEYS, LIST_PROMPTS, PATHS, READ_USAGE, READ_VAULT, READ_VAULT_USE, VIEWER } from '../admin.ts';
import { endpoint } from '../endpoint.ts';
import { AUDIT, KEY_ID, PROMPT_ID, SECRET_ID } from '../examples.ts';
import { promptId, version } from '../fields/fields.ts';
import { utcDay, wholeNumber } from '../fields/query.ts';
import { auditShape } from '../shapes/audit.ts';
import { count, keyId, secretId, time } from '../shapes/common.ts';

const keyToWatch = z.object({
  keyId,
  name: z.string(),
  lastUsedAt: z.nullable(time('Its last use, exact to the hour; null if it was never used.')),
  expiresAt: z.optional(time('From when on it is refused.')),
});

export const overviewGet = endpoint({
  id: 'overview-get',
  route: { method: 'GET', path: PATHS.overview },
  access: VIEWER,
  query: z.object({
    days: z._default(wholeNumber(1, 30, 'How many days (UTC) of fetches, today included.'), 30),
  }),
  reply: z.object({
    totals: z.object({
      prompts: count('Prompts.'),
      secrets: count('Secrets.'),
      keys: count('API keys that are neither expired nor revoked.'),
    }),
    fetches: z
      .array(
        z.object({
          day: utcDay('The day.'),
          prompts: count('Prompts fetched.'),
          secrets: count('Releases of secrets, each of any number of them.'),
        }),
      )
      .check(z.meta({ description: 'Day by day, the oldest first.' })),
    topPrompts: z
      .array(z.object({ promptId, name: z.string(), fetches: count('Fetches in these days.') }))
      .check(z.meta({ description: 'The ten prompts fetched most often.' })),
    topVersions: z
      .array(z.object({ promptId, name: z.string(), version, fetches: count('Fetches in these days.') }))
      .check(z.meta({ description: 'The ten versions fetched most often.' })),
    unusedKeys: z.array(keyToWatch).check(
      z.meta({
        description: 'Active keys that are older than 30 days and were not used for as long; at most 20.',
      }),
    ),
    expiringKeys: z
      .array(keyToWatch)
      .check(
        z.meta({ description: 'Active keys that expire within 14 days, the next one first; at most 20.' }),
      ),
    unreadSecrets: z.object({
      total: count('Secrets that are older than 30 days and were not read for as long.'),
      first: z
        .array(z.object({ secretId, key: z.string() }))
        .check(z.meta({ description: 'The first 20 of them, by key.' })),
    }),
    changes: z
      .array(auditShape)
      .check(z.meta({ description: 'The last ten changes, those of drafts left out.' })),
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
    { on: 'table', actions: ['Query'], partitions: ['auditChange'] },
  ],
  summary: 'Fetch what an operator looks at first',
  description:
    'How much is fetched, what is fetched most, which keys and secrets nobody uses or which expire soon, and what was changed last.',
  examples: [
    {
      summary: 'The last day',
      query: { days: '1' },
      res: {
        totals: { prompts: 1, secrets: 1, keys: 1 },
        fetches: [{ day: '2026-03-01', prompts: 12, secrets: 3 }],
        topPrompts: [{ promptId: PROMPT_ID, name: 'greeting', fetches: 12 }],
        topVersions: [{ promptId: PROMPT_ID, name: 'greeting', version: '1.1.0', fetches: 12 }],
        unusedKeys: [{ keyId: KEY_ID, name: 'old job', lastUsedAt: null }],
        expiringKeys: [],
        unreadSecrets: { total: 1, first: [{ secretId: SECRET_ID, key: 'DATABASE_URL' }] },
        changes: [AUDIT],
      },
    },
  ],
});
