import * as z from 'zod/mini';
import { CHANGE_LABELS, CHANGE_PROMPT, EDITOR, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { PROMPT, PROMPT_ID } from '../../http/examples.ts';
import { ofPrompt } from '../../shapes/common.ts';
import { promptShape } from '../../shapes/prompts.ts';

export const promptsRestore = endpoint({
  id: 'prompts-restore',
  route: { method: 'POST', path: `${PATHS.prompt}/restore` },
  access: EDITOR,
  params: ofPrompt,
  reply: z.object({ prompt: promptShape }),
  errors: ['prompt_not_found', 'not_deleted', 'label_protected', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    ...CHANGE_PROMPT,
    ...CHANGE_LABELS,
    { on: 'table', actions: ['DeleteItem'], partitions: ['promptPurge'] },
  ],
  summary: 'Restore a deleted prompt',
  description:
    'Restores the prompt with all its versions and labels, within seven days of its deletion. If one of the labels is protected, this requires an administrator.',
  examples: [{ summary: 'A prompt', params: { promptId: PROMPT_ID }, res: { prompt: PROMPT } }],
});
