import * as z from 'zod/mini';
import { MANY_ROWS, NOTE_KEY } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { promptName, strictFields } from '../../fields/fields.ts';
import { LIMITS } from '../../limits.ts';
import { optional } from '../../shapes/common.ts';

const range = `must be a whole number from 1 to ${LIMITS.listedPrompts}`;

export const promptList = endpoint({
  id: 'prompt-list',
  route: { method: 'POST', path: '/api/prompt/list' },
  access: { kind: 'api-key', permission: ['prompts', 'publish', 'compare'], publishing: true },
  body: strictFields({
    limit: z._default(
      z
        .int({ error: range })
        .check(z.gte(1, { error: range }), z.lte(LIMITS.listedPrompts, { error: range })),
      LIMITS.listedPrompts,
    ),
    cursor: optional(promptName, 'The cursor of the previous page: a name.'),
  }),
  ...MANY_ROWS,
  grants: [
    { on: 'index', partitions: ['prompts'] },
    { on: 'table', actions: ['BatchGetItem'], partitions: ['apiKey', 'prompt'] },
    ...NOTE_KEY,
  ],
  summary: 'List prompts from code',
});
