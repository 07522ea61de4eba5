import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { RowButton } from '../../../components/small.tsx';

interface DiscardDraftProps {
  /** Text of the button. */
  readonly verb: string;
  readonly name: string;
  readonly savedBy: string;
  readonly discard: () => Promise<unknown>;
}

/** Discards the draft of a prompt, possibly a colleague's, after its name is typed. */
export const DiscardDraft = ({ verb, name, savedBy, discard }: DiscardDraftProps) => {
  const confirm = () =>
    confirmByName({
      title: 'Discard the draft',
      name,
      verb: 'Discard',
      action: discard,
      done: 'The draft is discarded.',
      text: `The draft that ${savedBy} saved last is deleted permanently. Published versions stay.`,
    });
  return <RowButton onClick={confirm}>{verb}</RowButton>;
};
