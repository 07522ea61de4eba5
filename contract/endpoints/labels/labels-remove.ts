import { CHANGE_PROMPT, EDITOR, FEW_ROWS, OPERATOR_LABELS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { seenRev } from '../../fields/query.ts';
import { ofLabel } from '../../shapes/common.ts';

export const labelsRemove = endpoint({
  id: 'labels-remove',
  route: { method: 'DELETE', path: PATHS.label },
  access: EDITOR,
  params: ofLabel,
  query: strictFields({ rev: seenRev }),
  errors: ['prompt_not_found', 'label_not_found', 'label_protected', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [...CHANGE_PROMPT, ...OPERATOR_LABELS],
  summary: 'Remove a label',
});
