import * as z from 'zod/mini';
import { MANY_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { version } from '../../fields/fields.ts';
import { nextCursor, paging, utcDay } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { KEY_ID, PROMPT_ID } from '../../http/examples.ts';
import { keyId, ofPrompt } from '../../shapes/common.ts';
import { accessShape } from '../../shapes/prompts.ts';

export const accessesList = endpoint({
  id: 'accesses-list',
  route: { method: 'GET', path: `${PATHS.prompt}/accesses` },
  access: VIEWER,
  params: ofPrompt,
  query: strictFields({
    from: z.optional(utcDay('First day (UTC). Default: 30 days before the last day.')),
    to: z.optional(utcDay('Last day (UTC). Default: today.')),
    key: z.optional(keyId),
    version: z.optional(version),
    ...paging,
  }),
  reply: z.object({ accesses: z.array(accessShape), cursor: nextCursor }),
  errors: ['prompt_not_found'],
  ...MANY_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem'], partitions: ['prompt', 'entryShards'] },
    { on: 'table', actions: ['Query'], partitions: ['access'] },
  ],
  summary: 'List the access history of a prompt',
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
});
