import { CHANGE_PROMPT, EDITOR, MANY_ROWS, OPERATOR_LABELS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { labelMovesBody } from '../../shapes/publishing.ts';

export const labelsMove = endpoint({
  id: 'labels-move',
  route: { method: 'POST', path: PATHS.labelMoves },
  access: EDITOR,
  body: labelMovesBody,
  errors: ['prompt_not_found', 'version_not_found', 'label_protected', 'changed_meanwhile'],
  ...MANY_ROWS,
  grants: [...CHANGE_PROMPT, ...OPERATOR_LABELS],
  summary: 'Move labels of several prompts',
});
