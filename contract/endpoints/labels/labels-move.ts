import * as z from 'zod/mini';
import { EDITOR, MANY_ROWS, MOVE_LABELS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described } from '../../fields/fields.ts';
import { breakingList, labelMovesBody, labelsMoved } from '../../shapes/publishing.ts';

export const labelsMove = endpoint({
  id: 'labels-move',
  route: { method: 'POST', path: PATHS.labelMoves },
  access: EDITOR,
  body: labelMovesBody,
  reply: z.object({
    ...labelsMoved,
    breaking: z.optional(
      described(
        z.array(z.object({ name: z.string(), label: z.string(), changes: breakingList })),
        'With `dryRun`, the moves that can break applications.',
      ),
    ),
  }),
  errors: ['prompt_not_found', 'version_not_found', 'label_protected', 'changed_meanwhile'],
  ...MANY_ROWS,
  grants: MOVE_LABELS,
  summary: 'Move labels of several prompts',
  description:
    'Moves, sets or removes up to 30 labels in one transaction: all or none. Every `from` must hold. To undo a set, send it again with `from` and `to` swapped. The audit log has an entry for each label and one for the set.',
  examples: [
    {
      summary: 'Two prompts',
      body: {
        moves: [
          { name: 'greeting', label: 'production', from: '1.0.0', to: '1.1.0' },
          { name: 'farewell', label: 'production', from: null, to: '2.0.0' },
        ],
      },
      res: { moved: true, set: 'set_4rTgY7uJ2kLm9NpQ' },
    },
  ],
});
