import { confirmByName } from '../../../components/confirm-by-name.tsx';
import type { Draft } from '../prompt-queries.ts';

/** Discards the draft of a prompt, possibly a colleague's, after the name of the prompt is typed. */
export const confirmDiscard = (name: string, { savedBy }: Draft, discard: () => Promise<unknown>): void =>
  confirmByName({
    title: 'Discard the draft',
    name,
    verb: 'Discard',
    action: discard,
    done: 'The draft is discarded.',
    text: `The draft that ${savedBy} saved last is deleted permanently. Published versions stay.`,
  });
