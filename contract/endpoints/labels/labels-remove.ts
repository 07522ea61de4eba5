import * as z from 'zod/mini';
import { CHANGE_LABELS, CHANGE_PROMPT, EDITOR, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { seenRev } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { PROMPT, PROMPT_ID } from '../../http/examples.ts';
import { ofLabel } from '../../shapes/common.ts';
import { promptShape } from '../../shapes/prompts.ts';

export const labelsRemove = endpoint({
  id: 'labels-remove',
  route: { method: 'DELETE', path: PATHS.label },
  access: EDITOR,
  params: ofLabel,
  query: strictFields({ rev: seenRev }),
  reply: z.object({ prompt: promptShape }),
  errors: ['prompt_not_found', 'label_not_found', 'label_protected', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [...CHANGE_PROMPT, ...CHANGE_LABELS],
  summary: 'Remove a label',
  description:
    'The version it points to is kept. Callers that ask for the label get `label_not_found`. A protected label requires an administrator.',
  examples: [
    {
      summary: 'Remove staging',
      params: { promptId: PROMPT_ID, label: 'staging' },
      res: { prompt: PROMPT },
    },
  ],
});
