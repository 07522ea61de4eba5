import * as z from 'zod/mini';
import { described, version } from '../fields/fields.ts';
import { nextCursor, utcDay } from '../fields/query.ts';
import { KEY_ID, PROMPT_ID } from '../http/examples.ts';
import { LIMITS } from '../limits.ts';
import { count, keyId, time } from '../shapes/common.ts';
import { accessShape, asked, eventShape } from '../shapes/prompts.ts';

const caller = z.object({
  apiKeyId: keyId,
  apiKeyName: z.string(),
  asked,
  label: z.optional(described(z.string(), 'The requested label.')),
  version: described(version, 'The version it received last.'),
  fetches: count('How many fetches.'),
  lastAt: time('The last of them.'),
  compiled: count('How many of them the service compiled.'),
  ended: z.optional(
    described(z.enum(['expired', 'revoked']), 'Why the key no longer works. Absent while it does.'),
  ),
  variables: z.optional(
    described(
      z.array(z.string()),
      'The names of the variables that each compiled fetch sent. Absent if nothing was compiled, or if the names of a fetch are unknown.',
    ),
  ),
});

export const usage = {
  'accesses-list': {
    reply: z.object({ accesses: z.array(accessShape), cursor: nextCursor }),
    description:
      'Newest first. A page can hold fewer entries than `limit` before the last page: continue while there is a cursor.',
    examples: [
      {
        summary: 'What one key fetched',
        params: { promptId: PROMPT_ID },
        query: { key: KEY_ID, from: '2026-03-01', to: '2026-03-07' },
        res: {
          accesses: [
            {
              time: '2026-03-01T12:00:00.000Z',
              requestId: '0f9c6a1e-6f0e-4d7a-9f3c-2a4c5b1d7e21',
              version: '1.1.0',
              label: 'production',
              apiKeyId: KEY_ID,
              apiKeyName: 'web',
              sourceIp: '203.0.113.7',
              userAgent: 'app/1.0',
              compiled: true,
              metaProperties: { session: 's1' },
            },
          ],
        },
      },
    ],
  },
  'callers-list': {
    reply: z.object({
      since: time('Only fetches since this time are listed.'),
      callers: described(z.array(caller), 'Most fetches first.'),
      earlier: described(
        z.array(z.object({ apiKeyId: keyId, apiKeyName: z.string(), fetches: count('How many fetches.') })),
        'API keys that fetched the prompt within the last seven days, but not since `since`. What they asked for is not looked up.',
      ),
    }),
    description: `Shows who gets another version, or an error, when a label moves, a version is published or something is deleted. Covers the last ${LIMITS.inUseDays} days; with more than ${LIMITS.callerEntries} fetches in that time, those since \`since\`.`,
    examples: [
      {
        summary: 'One key follows production',
        params: { promptId: PROMPT_ID },
        res: {
          since: '2026-02-22T12:00:00.000Z',
          callers: [
            {
              apiKeyId: KEY_ID,
              apiKeyName: 'web',
              asked: 'label',
              label: 'production',
              version: '1.1.0',
              fetches: 1200,
              lastAt: '2026-03-01T12:00:00.000Z',
              compiled: 1200,
              variables: ['user'],
            },
          ],
          earlier: [],
        },
      },
    ],
  },
  'usage-get': {
    reply: z.object({
      from: utcDay('The first day.'),
      to: utcDay('The last day: today.'),
      counts: described(
        z.array(
          z.object({ day: utcDay('The day.'), version, apiKeyId: keyId, count: count('How many fetches.') }),
        ),
        'Days, versions and keys without fetches are omitted.',
      ),
      keys: described(z.array(z.object({ keyId, name: z.string() })), 'The names of these API keys.'),
      events: described(z.array(eventShape), 'Events of the prompt in this period, newest first.'),
    }),
    description:
      'How often each API key fetched each version, and the events of the prompt in the same period.',
    examples: [
      {
        summary: 'The last month',
        params: { promptId: PROMPT_ID },
        query: { days: '30' },
        res: {
          from: '2026-01-31',
          to: '2026-03-01',
          counts: [{ day: '2026-03-01', version: '1.1.0', apiKeyId: KEY_ID, count: 12 }],
          keys: [{ keyId: KEY_ID, name: 'web' }],
          events: [
            {
              at: '2026-03-01T12:00:00.000Z',
              actor: 'ada@example.com',
              type: 'label-set',
              label: 'production',
              from: null,
              to: '1.1.0',
            },
          ],
        },
      },
    ],
  },
};
