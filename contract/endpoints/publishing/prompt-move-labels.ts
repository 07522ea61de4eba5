import { BY_KEY, CHANGE_LABELS, CHANGE_PROMPT, MANY_ROWS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { labelMovesBody } from '../../shapes/publishing.ts';

export const promptMoveLabels = endpoint({
  id: 'prompt-move-labels',
  route: { method: 'POST', path: '/api/prompt/move-labels' },
  access: { kind: 'api-key', permission: ['publish', 'compare'], publishing: true },
  body: labelMovesBody,
  errors: ['prompt_not_found', 'version_not_found', 'label_protected', 'changed_meanwhile'],
  ...MANY_ROWS,
  grants: [...CHANGE_PROMPT, ...CHANGE_LABELS, ...BY_KEY],
  summary: 'Move labels from code',
});
