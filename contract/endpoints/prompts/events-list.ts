import * as z from 'zod/mini';
import { FEW_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { PROMPT_ID } from '../../http/examples.ts';
import { LIMITS } from '../../limits.ts';
import { ofPrompt, pathLabel } from '../../shapes/common.ts';
import { eventShape } from '../../shapes/prompts.ts';

export const eventsList = endpoint({
  id: 'events-list',
  route: { method: 'GET', path: PATHS.events },
  access: VIEWER,
  params: ofPrompt,
  query: strictFields({ label: z.optional(pathLabel) }),
  reply: z.object({ events: z.array(eventShape) }),
  errors: ['prompt_not_found'],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem', 'Query'], partitions: ['prompt'] }],
  summary: 'List the changes of a prompt',
  description: `The last ${LIMITS.events} changes, newest first; with \`label\`, those of one label.`,
  examples: [
    {
      summary: 'Where production pointed',
      params: { promptId: PROMPT_ID },
      query: { label: 'production' },
      res: {
        events: [
          {
            at: '2026-03-01T12:00:00.000Z',
            actor: 'ada@example.com',
            type: 'label-set',
            label: 'production',
            from: '1.0.0',
            to: '1.1.0',
          },
        ],
      },
    },
  ],
});
