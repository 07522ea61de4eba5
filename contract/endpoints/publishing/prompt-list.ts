import * as z from 'zod/mini';
import { MANY_ROWS, NOTE_KEY } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described, promptName } from '../../fields/fields.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { PROMPT, SOURCE } from '../../http/examples.ts';
import { LIMITS } from '../../limits.ts';
import { promptShape, sourceState } from '../../shapes/prompts.ts';

const range = `must be a whole number from 1 to ${LIMITS.listedPrompts}`;

export const promptList = endpoint({
  id: 'prompt-list',
  route: { method: 'POST', path: '/api/prompt/list' },
  access: { kind: 'api-key', permission: ['prompts', 'publish'], publishing: true },
  body: strictFields(
    {
      limit: z._default(
        z
          .int({ error: range })
          .check(z.gte(1, { error: range }), z.lte(LIMITS.listedPrompts, { error: range })),
        LIMITS.listedPrompts,
      ),
      cursor: z.optional(described(promptName, 'The cursor of the previous page: a name.')),
    },
    { error: 'The body must be a JSON object; {} asks for the first page.' },
  ),
  reply: z.object({
    prompts: z.array(
      z.extend(
        z.pick(promptShape, { name: true, type: true, latest: true, contentHash: true, labels: true }),
        {
          sources: described(
            z.array(sourceState),
            'The last version of each of the last five repositories that published the prompt, newest first.',
          ),
        },
      ),
    ),
    cursor: z.optional(
      described(z.string(), 'The last name. Send it to get the next page. Absent on the last page.'),
    ),
  }),
  errors: [],
  ...MANY_ROWS,
  grants: [
    { on: 'index', partitions: ['prompts'] },
    { on: 'table', actions: ['BatchGetItem'], partitions: ['apiKey', 'prompt'] },
    ...NOTE_KEY,
  ],
  summary: 'List prompts from code',
  description:
    'Returns one page of the prompts that the key may see, by name. What is said about each is strongly consistent; a new prompt can take a moment to appear. It does not count as a use of the prompts.',
  examples: [
    {
      summary: 'The first page',
      body: {},
      res: {
        prompts: [
          {
            name: PROMPT.name,
            type: PROMPT.type,
            latest: PROMPT.latest,
            contentHash: PROMPT.contentHash,
            labels: PROMPT.labels,
            sources: [
              {
                repository: SOURCE.repository,
                version: PROMPT.latest,
                contentHash: PROMPT.contentHash,
                commit: SOURCE.commit,
              },
            ],
          },
        ],
      },
    },
  ],
});
