import * as z from 'zod/mini';
import { CHANGE_PROMPT, EDITOR, FEW_ROWS, JUDGE_USE, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { DELETED, PROMPT_ID } from '../../examples.ts';
import { promptId, promptName } from '../../fields/fields.ts';
import { confirm, seenRev } from '../../fields/query.ts';
import { ofPrompt, restorableUntil } from '../../shapes/common.ts';

export const promptsDelete = endpoint({
  id: 'prompts-delete',
  route: { method: 'DELETE', path: PATHS.prompt },
  access: EDITOR,
  params: ofPrompt,
  query: z.object({ confirm, rev: seenRev }),
  reply: z.object({ promptId, name: promptName, restorableUntil }),
  errors: ['prompt_not_found', 'in_use', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    ...CHANGE_PROMPT,
    { on: 'table', actions: ['PutItem'], partitions: ['promptPurge'] },
    ...JUDGE_USE,
  ],
  summary: 'Delete a prompt',
  description:
    'It can be restored for seven days. One that was fetched within the last seven days is deleted only with `confirm=true`; the refusal says by which keys and how often.',
  examples: [
    {
      summary: 'A prompt that is still fetched',
      params: { promptId: PROMPT_ID },
      query: { confirm: 'true' },
      res: { promptId: PROMPT_ID, name: 'greeting', restorableUntil: DELETED.restorableUntil },
    },
  ],
});
