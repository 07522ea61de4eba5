import * as z from 'zod/mini';
import { described } from '../fields/fields.ts';
import { PROMPT, PROMPT_ID, PROTECTED_LABEL } from '../http/examples.ts';
import { promptShape, protectedLabels } from '../shapes/prompts.ts';
import { breakingList, labelsMoved } from '../shapes/publishing.ts';

export const labels = {
  'labels-set': {
    reply: z.object({ prompt: promptShape }),
    description:
      'Creates the label, or moves it to another version. A protected label requires an administrator.',
    examples: [
      {
        summary: 'Move production',
        params: { promptId: PROMPT_ID, label: 'production' },
        body: { version: '1.1.0', expected: '1.0.0' },
        res: { prompt: PROMPT },
      },
    ],
  },
  'labels-remove': {
    reply: z.object({ prompt: promptShape }),
    description:
      'The version it points to is kept. Callers that ask for the label get `label_not_found`. A protected label requires an administrator.',
    examples: [
      {
        summary: 'Remove staging',
        params: { promptId: PROMPT_ID, label: 'staging' },
        res: { prompt: PROMPT },
      },
    ],
  },
  'labels-move': {
    reply: z.object({
      ...labelsMoved,
      breaking: z.optional(
        described(
          z.array(z.object({ name: z.string(), label: z.string(), changes: breakingList })),
          'With `dryRun`, the moves that can break applications.',
        ),
      ),
    }),
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
  },
  'labels-list-protected': {
    reply: z.object({ labels: protectedLabels }),
    description:
      'In every prompt, only administrators set, move and remove a protected label, and delete or restore a prompt that has one. Callers that ask for no label are not affected: they get the latest version, which editors publish.',
    examples: [{ summary: 'production', res: { labels: [PROTECTED_LABEL] } }],
  },
  'labels-protect': {
    reply: z.object({ labels: protectedLabels }),
    description:
      'Protects the label in every prompt, whether or not a prompt has it. Protecting it again changes nothing.',
    examples: [
      { summary: 'production', params: { label: 'production' }, res: { labels: [PROTECTED_LABEL] } },
    ],
  },
  'labels-unprotect': {
    reply: z.object({ labels: protectedLabels }),
    description: 'Editors can set, move and remove the label again. The label itself stays.',
    examples: [{ summary: 'staging', params: { label: 'staging' }, res: { labels: [PROTECTED_LABEL] } }],
  },
};
