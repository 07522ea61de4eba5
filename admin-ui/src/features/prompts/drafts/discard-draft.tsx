import { Button } from '@mantine/core';
import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';

interface DiscardDraftProps {
  /** Text of the button. */
  readonly verb: string;
  /** Name of the prompt. */
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
      action: async () => {
        await discard();
        notifyDone('The draft is discarded.');
      },
      text: `The draft that ${savedBy} saved last is deleted permanently. Published versions stay.`,
    });
  return (
    <Button variant="default" size="compact-xs" onClick={confirm}>
      {verb}
    </Button>
  );
};
