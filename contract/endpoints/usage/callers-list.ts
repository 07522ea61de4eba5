import * as z from 'zod/mini';
import { JUDGE_USE, MANY_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described, version } from '../../fields/fields.ts';
import { KEY_ID, PROMPT_ID } from '../../http/examples.ts';
import { LIMITS } from '../../limits.ts';
import { count, keyId, ofPrompt, time } from '../../shapes/common.ts';
import { asked } from '../../shapes/prompts.ts';

const caller = z.object({
  apiKeyId: keyId,
  apiKeyName: z.string(),
  asked,
  label: z.optional(described(z.string(), 'The requested label.')),
  version: described(version, 'The version it received last.'),
  fetches: count('How many fetches.'),
  lastAt: time('The last of them.'),
  compiled: count('How many of them the service compiled.'),
  variables: z.optional(
    described(
      z.array(z.string()),
      'The names of the variables that each compiled fetch sent. Absent if nothing was compiled, or if the names of a fetch are unknown.',
    ),
  ),
});

export const callersList = endpoint({
  id: 'callers-list',
  route: { method: 'GET', path: PATHS.callers },
  access: VIEWER,
  params: ofPrompt,
  reply: z.object({
    since: time('Only fetches since this time are listed.'),
    callers: described(z.array(caller), 'Most fetches first.'),
    earlier: described(
      z.array(z.object({ apiKeyId: keyId, apiKeyName: z.string(), fetches: count('How many fetches.') })),
      'API keys that fetched the prompt within the last seven days, but not since `since`. What they asked for is not looked up.',
    ),
  }),
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['prompt'] }, ...JUDGE_USE],
  summary: 'List the API keys that fetch a prompt, by what they ask for',
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
});
