import { BY_KEY, MANY_ROWS, MOVE_LABELS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { labelMovesBody } from '../../shapes/publishing.ts';

export const promptMoveLabels = endpoint({
  id: 'prompt-move-labels',
  route: { method: 'POST', path: '/api/prompt/move-labels' },
  access: { kind: 'api-key', permission: 'publish', publishing: true },
  body: labelMovesBody,
  errors: ['prompt_not_found', 'version_not_found', 'label_protected', 'changed_meanwhile'],
  ...MANY_ROWS,
  grants: [...MOVE_LABELS, ...BY_KEY],
  summary: 'Move labels from code',
});
