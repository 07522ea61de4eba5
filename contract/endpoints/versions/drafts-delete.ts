import * as z from 'zod/mini';
import { EDITOR, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { promptId } from '../../fields/fields.ts';
import { seenRev } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { PROMPT_ID } from '../../http/examples.ts';
import { ofPrompt } from '../../shapes/common.ts';

export const draftsDelete = endpoint({
  id: 'drafts-delete',
  route: { method: 'DELETE', path: PATHS.draft },
  access: EDITOR,
  params: ofPrompt,
  query: strictFields({ rev: seenRev }),
  reply: z.object({ promptId }),
  errors: ['prompt_not_found', 'draft_not_found', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'ConditionCheckItem', 'DeleteItem'], partitions: ['prompt'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  ],
  summary: 'Discard the draft',
  description: 'With `rev`, only if the draft still has this revision.',
  examples: [
    {
      summary: 'The draft with a known revision',
      params: { promptId: PROMPT_ID },
      query: { rev: '7' },
      res: { promptId: PROMPT_ID },
    },
  ],
});
