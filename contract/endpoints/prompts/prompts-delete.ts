import * as z from 'zod/mini';
import {
  CHANGE_LABELS,
  CHANGE_PROMPT,
  EDITOR,
  FEW_ROWS,
  JUDGE_USE,
  LIST_PROMPTS,
  PATHS,
} from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { promptId, promptName } from '../../fields/fields.ts';
import { confirm, seenRev } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { DELETED, PROMPT_ID } from '../../http/examples.ts';
import { ofPrompt, restorableUntil } from '../../shapes/common.ts';

export const promptsDelete = endpoint({
  id: 'prompts-delete',
  route: { method: 'DELETE', path: PATHS.prompt },
  access: EDITOR,
  params: ofPrompt,
  query: strictFields({ confirm, rev: seenRev }),
  reply: z.object({ promptId, name: promptName, restorableUntil }),
  errors: ['prompt_not_found', 'in_use', 'label_protected', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    ...CHANGE_PROMPT,
    ...CHANGE_LABELS,
    { on: 'table', actions: ['PutItem'], partitions: ['promptPurge'] },
    ...JUDGE_USE,
    ...LIST_PROMPTS,
  ],
  summary: 'Delete a prompt',
  description:
    'The prompt can be restored for seven days. A prompt that was fetched within the last seven days, or that a latest or labelled version of another prompt includes, is deleted only with `confirm=true`; the error names the keys and how often each fetched it, or these versions. A prompt with a protected label requires an administrator.',
  examples: [
    {
      summary: 'A prompt that is still fetched',
      params: { promptId: PROMPT_ID },
      query: { confirm: 'true' },
      res: { promptId: PROMPT_ID, name: 'greeting', restorableUntil: DELETED.restorableUntil },
    },
  ],
});
