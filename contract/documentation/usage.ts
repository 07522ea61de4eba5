import * as z from 'zod/mini';
import { described, flag, version } from '../fields/fields.ts';
import { nextCursor, utcDay } from '../fields/query.ts';
import { LIMITS } from '../limits.ts';
import { arrayOf, count, keyId, optional, time } from '../shapes/common.ts';
import { accessShape, asked, eventShape } from '../shapes/prompts.ts';

const caller = z.object({
  apiKeyId: keyId,
  apiKeyName: z.string(),
  asked,
  label: optional(z.string(), 'The requested label.'),
  version: described(version, 'The version it received last.'),
  fetches: count('How many fetches.'),
  lastAt: time('The last of them.'),
  compiled: count('How many of them the service compiled.'),
  ended: optional(z.enum(['expired', 'revoked']), 'Why the key no longer works. Absent while it does.'),
  variables: optional(
    z.array(z.string()),
    'The names of the variables that each compiled fetch sent. Absent if nothing was compiled, or if the names of a fetch are unknown.',
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
      callers: arrayOf(caller, 'Most fetches first.'),
      earlier: arrayOf(
        z.object({ apiKeyId: keyId, apiKeyName: z.string(), fetches: count('How many fetches.') }),
        'API keys that fetched the prompt within the last seven days, but not since `since`. What they asked for is not looked up.',
      ),
    }),
    description: `Shows who gets another version, or an error, when a label moves, a version is published or something is deleted. Covers the last ${LIMITS.inUseDays} days; with more than ${LIMITS.callerEntries} fetches in that time, those since \`since\`.`,
  },
  'usage-get': {
    reply: z.object({
      name: z.string(),
      latest: version,
      labels: arrayOf(z.object({ label: z.string(), version }), 'Its labels, by name.'),
      from: utcDay('The first day.'),
      to: utcDay('The last day: today.'),
      counts: arrayOf(
        z.object({
          day: utcDay('The day.'),
          version,
          apiKeyId: keyId,
          count: count('How many fetches.'),
          lastAt: time('The last of them.'),
        }),
        'Days, versions and keys without fetches are omitted.',
      ),
      failures: arrayOf(
        z.object({
          day: utcDay('The day.'),
          apiKeyId: keyId,
          version: optional(version, 'The version that the last of them was about.'),
          isServed: flag('Whether they were served, with a placeholder left; they are in `counts` too.'),
          count: count('How many: exact if they were served, otherwise at least.'),
        }),
        `Failing calls of the last ${LIMITS.failingDays} days.`,
      ),
      keys: arrayOf(z.object({ keyId, name: z.string() }), 'The names of these API keys.'),
      events: arrayOf(eventShape, 'Events of the prompt in this period, newest first.'),
    }),
    description:
      'How often each API key fetched each version, and the events of the prompt in the same period.',
  },
};
