import * as z from 'zod/mini';
import { BY_KEY, MANY_ROWS, MOVE_LABELS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { labelMovesBody, labelsMoved } from '../../shapes/publishing.ts';

export const promptMoveLabels = endpoint({
  id: 'prompt-move-labels',
  route: { method: 'POST', path: '/api/prompt/move-labels' },
  access: { kind: 'api-key', permission: 'publish', publishing: true },
  body: labelMovesBody,
  reply: z.object(labelsMoved),
  errors: ['prompt_not_found', 'version_not_found', 'label_protected', 'changed_meanwhile'],
  ...MANY_ROWS,
  grants: [...MOVE_LABELS, ...BY_KEY],
  summary: 'Move labels from code',
  description:
    'Moves, sets or removes up to 30 labels in one transaction: all or none. Every `from` must hold, unless all labels are already at their `to`: repeating a request changes nothing. The key must be allowed to publish the prompts and to move the labels; protected labels need an administrator.',
  examples: [
    {
      summary: 'One label',
      body: { moves: [{ name: 'greeting', label: 'staging', from: '1.0.0', to: '1.1.0' }] },
      res: { moved: true, set: 'set_4rTgY7uJ2kLm9NpQ' },
    },
  ],
});
