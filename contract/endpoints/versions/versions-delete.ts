import * as z from 'zod/mini';
import { CHANGE_PROMPT, EDITOR, FEW_ROWS, JUDGE_USE, LIST_PROMPTS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { confirm, seenRev } from '../../fields/query.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { PROMPT, PROMPT_ID } from '../../http/examples.ts';
import { ofVersion } from '../../shapes/common.ts';
import { promptShape } from '../../shapes/prompts.ts';

export const versionsDelete = endpoint({
  id: 'versions-delete',
  route: { method: 'DELETE', path: PATHS.version },
  access: EDITOR,
  params: ofVersion,
  query: strictFields({ confirm, rev: seenRev }),
  reply: z.object({ prompt: promptShape }),
  errors: [
    'prompt_not_found',
    'version_not_found',
    'version_labelled',
    'last_version',
    'in_use',
    'changed_meanwhile',
  ],
  ...FEW_ROWS,
  grants: [
    ...CHANGE_PROMPT,
    { on: 'table', actions: ['Query'], partitions: ['prompt'] },
    ...JUDGE_USE,
    ...LIST_PROMPTS,
  ],
  summary: 'Delete a version',
  description:
    'Cannot be undone, and the number is never used again. The only version, and a version that a label points to, cannot be deleted. A version that was fetched within the last seven days, or that a latest or labelled version includes, is deleted only with `confirm=true`; the error names the keys and how often each fetched it, or these versions.',
  examples: [
    {
      summary: 'An unused version',
      params: { promptId: PROMPT_ID, version: '1.2.0' },
      query: { rev: '2' },
      res: { prompt: PROMPT },
    },
  ],
});
