import * as z from 'zod/mini';
import { PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { paging, search } from '../../fields/query.ts';

export const promptsListDeleted = endpoint({
  id: 'prompts-list-deleted',
  route: { method: 'GET', path: PATHS.deletedPrompts },
  access: VIEWER,
  query: strictFields({
    promptId: z.optional(search('Only the prompt with this id, if it is deleted and can be restored.')),
    ...paging,
  }),
  grants: [
    { on: 'table', actions: ['Query'], partitions: ['promptPurge'] },
    { on: 'table', actions: ['GetItem'], partitions: ['prompt'] },
  ],
  summary: 'List deleted prompts that can be restored',
});
