import * as z from 'zod/mini';
import { extraReplyFields } from '../content/shapes.ts';
import { anyText, arrayOf, count, keyId, optional, optionalString, strings, time } from '../fields/common.ts';
import { flag, promptName, version } from '../fields/fields.ts';
import { nextCursor, utcDay } from '../fields/query.ts';
import { LIMITS } from '../limits.ts';
import { accessShape, eventShape } from '../shapes/prompts.ts';
import { breakingList } from '../shapes/publishing.ts';
import { PROMPT_ID } from './examples.ts';

const verdict = z.enum(['breaks', 'unknown', 'works']);

const affectedKey = z.object({
  apiKeyId: keyId,
  apiKeyName: anyText,
  asks: strings('What it asked for: labels and versions, or `latest`.'),
  fetches: count('How many fetches.'),
  lastAt: time('The last of them.'),
  unsent: strings('Variables that it must send a value for, and is known to send none for.'),
  unused: strings('Variables that it sends a value for, which has no effect after the change.'),
  isSendingUnknown: flag(
    'Whether it compiles templates itself, at least at times, so that it is not known what it sends.',
  ),
  verdict: optional(
    verdict,
    'What the changes do to it. Absent if it gets an error, or something that it did not get before.',
  ),
  prompts: arrayOf(z.object({ name: promptName, verdict: z.optional(verdict) }), 'The same by prompt.'),
});

export const usage = {
  'accesses-list': {
    reply: { accesses: z.array(accessShape), cursor: nextCursor },
    description:
      'Newest first. A page can hold fewer entries than `limit` before the last page: continue while there is a cursor.',
  },
  'effects-get': {
    reply: {
      changes: arrayOf(
        z.object({
          before: optional(version, 'The version that these callers get now.'),
          breaking: breakingList,
        }),
        'One for each change.',
      ),
      part: optional(
        z.enum(['major', 'minor', 'patch']),
        'The part of the version to increment for `content`, compared with the latest version: major if it breaks applications, patch if only tags or metadata change, else minor.',
      ),
      expanded: optionalString('The template of `content` with its fragments; of a chat, JSON text.'),
      expandedVariables: extraReplyFields.variables,
      affected: optional(
        z.array(affectedKey),
        'The API keys that still work and have fetched what changes: first those that break, then most fetches first.',
      ),
      since: optional(time('Of every prompt, the fetches since this time are judged.'), 'With `affected`.'),
      earlier: optional(
        z.array(z.object({ apiKeyId: keyId, apiKeyName: anyText, fetches: count('How many fetches.') })),
        'API keys that fetched one of the prompts within the last seven days, in none of the fetches that are judged. What they asked for is not looked up.',
      ),
    },
    description: `Shows what callers get, and who breaks, when a label moves, a version is published or something is deleted. Writes nothing. Covers the last ${LIMITS.inUseDays} days, but at most the latest ${LIMITS.callerEntries} fetches, of which each change has an equal share: those since \`since\`.`,
    request: {
      body: { changes: [{ promptId: PROMPT_ID, label: 'production', to: '1.1.0' }], affected: true },
    },
  },
  'usage-get': {
    reply: {
      name: anyText,
      latest: version,
      labels: arrayOf(z.object({ label: anyText, version }), 'Its labels, by name.'),
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
      keys: arrayOf(z.object({ keyId, name: anyText }), 'The names of these API keys.'),
      events: arrayOf(eventShape, 'Events of the prompt in this period, newest first.'),
    },
    description:
      'How often each API key fetched each version, and the events of the prompt in the same period.',
  },
};
