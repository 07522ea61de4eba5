import * as z from 'zod/mini';
import { described, version } from '../fields/fields.ts';
import { nextCursor, utcDay } from '../fields/query.ts';
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
  },
  'usage-get': {
    reply: z.object({
      name: z.string(),
      latest: version,
      labels: described(z.array(z.object({ label: z.string(), version })), 'Its labels, by name.'),
      from: utcDay('The first day.'),
      to: utcDay('The last day: today.'),
      counts: described(
        z.array(
          z.object({
            day: utcDay('The day.'),
            version,
            apiKeyId: keyId,
            count: count('How many fetches.'),
            lastAt: time('The last of them.'),
          }),
        ),
        'Days, versions and keys without fetches are omitted.',
      ),
      failures: described(
        z.array(
          z.object({ day: utcDay('The day.'), apiKeyId: keyId, count: count('How many failed, at least.') }),
        ),
        `Failing calls of the last ${LIMITS.failingDays} days.`,
      ),
      keys: described(z.array(z.object({ keyId, name: z.string() })), 'The names of these API keys.'),
      events: described(z.array(eventShape), 'Events of the prompt in this period, newest first.'),
    }),
    description:
      'How often each API key fetched each version, and the events of the prompt in the same period.',
  },
};
