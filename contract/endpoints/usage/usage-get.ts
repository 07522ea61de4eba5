import * as z from 'zod/mini';
import { LIST_KEYS, MANY_ROWS, PATHS, READ_USAGE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described, version } from '../../fields/fields.ts';
import { utcDay, wholeNumber } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { KEY_ID, PROMPT_ID } from '../../http/examples.ts';
import { count, keyId, ofPrompt } from '../../shapes/common.ts';
import { eventShape } from '../../shapes/prompts.ts';

export const usageGet = endpoint({
  id: 'usage-get',
  route: { method: 'GET', path: `${PATHS.prompt}/usage` },
  access: VIEWER,
  params: ofPrompt,
  query: strictFields({
    days: z._default(wholeNumber(1, 90, 'Number of days (UTC), including today.'), 30),
  }),
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
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'Query'], partitions: ['prompt'] },
    ...READ_USAGE,
    ...LIST_KEYS,
  ],
  summary: 'Fetch the usage of a prompt, day by day',
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
});
