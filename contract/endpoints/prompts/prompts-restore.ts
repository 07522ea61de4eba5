import { CHANGE_PROMPT, EDITOR, OPERATOR_LABELS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { ofPrompt } from '../../shapes/common.ts';

export const promptsRestore = endpoint({
  id: 'prompts-restore',
  route: { method: 'POST', path: `${PATHS.prompt}/restore` },
  access: EDITOR,
  params: ofPrompt,
  errors: ['prompt_not_found', 'not_deleted', 'label_protected', 'changed_meanwhile'],
  grants: [
    ...CHANGE_PROMPT,
    ...OPERATOR_LABELS,
    { on: 'table', actions: ['DeleteItem'], partitions: ['promptPurge'] },
  ],
  summary: 'Restore a deleted prompt',
});
