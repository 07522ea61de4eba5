import { promptShape, protectedLabels } from '../shapes/prompts.ts';
import { labelsMoved } from '../shapes/publishing.ts';

export const labels = {
  'labels-set': {
    reply: { prompt: promptShape },
    description:
      'Creates the label, or moves it to another version. A protected label requires an administrator.',
    request: { body: { version: '1.1.0', expected: '1.0.0' } },
  },
  'labels-remove': {
    reply: { prompt: promptShape },
    description:
      'The version it points to is kept. Callers that ask for the label get `label_not_found`. A protected label requires an administrator.',
  },
  'labels-move': {
    reply: labelsMoved,
    description:
      'Moves, sets or removes up to 30 labels in one transaction: all or none. Every `from` must hold. To undo a set, send it again with `from` and `to` swapped. The audit log has an entry for each label and one for the set.',
    request: {
      body: { moves: [{ name: 'greeting', label: 'production', from: '1.0.0', to: '1.1.0' }] },
    },
  },
  'labels-protect': {
    reply: { labels: protectedLabels },
    description:
      'Protects the label in every prompt, whether or not a prompt has it. Protecting it again changes nothing.',
  },
  'labels-unprotect': {
    reply: { labels: protectedLabels },
    description: 'Editors can set, move and remove the label again. The label itself stays.',
  },
};
