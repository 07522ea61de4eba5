import * as z from 'zod/mini';
import { CHANGE_PROMPT, EDITOR, FEW_ROWS, JUDGE_USE, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { PROMPT, PROMPT_ID } from '../../examples.ts';
import { confirm, seenRev } from '../../fields/query.ts';
import { ofVersion } from '../../shapes/common.ts';
import { promptShape } from '../../shapes/prompts.ts';

export const versionsDelete = endpoint({
  id: 'versions-delete',
  route: { method: 'DELETE', path: PATHS.version },
  access: EDITOR,
  params: ofVersion,
  query: z.object({ confirm, rev: seenRev }),
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
  grants: [...CHANGE_PROMPT, { on: 'table', actions: ['Query'], partitions: ['prompt'] }, ...JUDGE_USE],
  summary: 'Delete a version',
  description:
    'For good: its number stays taken. Not while a label points to it, and not the only one. One that was fetched within the last seven days is deleted only with `confirm=true`; the refusal says by which keys and how often.',
  examples: [
    {
      summary: 'A version that nobody fetches',
      params: { promptId: PROMPT_ID, version: '1.2.0' },
      query: { rev: '2' },
      res: { prompt: PROMPT },
    },
  ],
});
