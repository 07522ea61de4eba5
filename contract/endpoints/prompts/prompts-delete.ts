import { CHANGE_PROMPT, EDITOR, JUDGE_INCLUDERS, JUDGE_USE, OPERATOR_LABELS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { confirm, seenRev } from '../../fields/query.ts';
import { ofPrompt } from '../../shapes/common.ts';

export const promptsDelete = endpoint({
  id: 'prompts-delete',
  route: { method: 'DELETE', path: PATHS.prompt },
  access: EDITOR,
  params: ofPrompt,
  query: strictFields({ confirm, rev: seenRev }),
  errors: ['prompt_not_found', 'in_use', 'label_protected', 'changed_meanwhile'],
  grants: [
    ...CHANGE_PROMPT,
    ...OPERATOR_LABELS,
    { on: 'table', actions: ['PutItem'], partitions: ['promptPurge'] },
    ...JUDGE_USE,
    ...JUDGE_INCLUDERS,
  ],
  summary: 'Delete a prompt',
});
