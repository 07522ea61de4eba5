import * as z from 'zod/mini';
import { FEW_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { nextCursor, paging, search } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { DELETED, PROMPT_ID } from '../../http/examples.ts';
import { deletedPrompt } from '../../shapes/prompts.ts';

export const promptsListDeleted = endpoint({
  id: 'prompts-list-deleted',
  route: { method: 'GET', path: PATHS.deletedPrompts },
  access: VIEWER,
  query: strictFields({
    promptId: z.optional(search('Only the prompt with this id, if it is deleted and can be restored.')),
    ...paging,
  }),
  reply: z.object({ prompts: z.array(deletedPrompt), cursor: nextCursor }),
  errors: [],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['Query'], partitions: ['promptPurge'] },
    { on: 'table', actions: ['GetItem'], partitions: ['prompt'] },
  ],
  summary: 'List deleted prompts that can be restored',
  description:
    'Most recently deleted first. A page can hold fewer entries than `limit` before the last page.',
  examples: [
    {
      summary: 'One prompt',
      res: { prompts: [{ promptId: PROMPT_ID, name: 'greeting', latest: '1.1.0', versions: 2, ...DELETED }] },
    },
  ],
});
