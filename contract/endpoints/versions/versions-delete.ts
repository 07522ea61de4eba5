import { CHANGE_PROMPT, EDITOR, FEW_ROWS, JUDGE_INCLUDERS, JUDGE_USE, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { confirm, seenRev } from '../../fields/query.ts';
import { ofVersion } from '../../shapes/common.ts';

export const versionsDelete = endpoint({
  id: 'versions-delete',
  route: { method: 'DELETE', path: PATHS.version },
  access: EDITOR,
  params: ofVersion,
  query: strictFields({ confirm, rev: seenRev }),
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
    ...JUDGE_INCLUDERS,
  ],
  summary: 'Delete a version',
});
