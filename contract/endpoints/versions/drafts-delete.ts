import { EDITOR, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { seenRev } from '../../fields/query.ts';
import { ofPrompt } from '../../shapes/common.ts';

export const draftsDelete = endpoint({
  id: 'drafts-delete',
  route: { method: 'DELETE', path: PATHS.draft },
  access: EDITOR,
  params: ofPrompt,
  query: strictFields({ rev: seenRev }),
  errors: ['prompt_not_found', 'draft_not_found', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'ConditionCheckItem', 'DeleteItem'], partitions: ['prompt'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  ],
  summary: 'Discard the draft',
});
