import { Button, Text } from '@mantine/core';
import { isRefusal, messageOf } from '../../api/api-error.ts';
import { useRole } from '../../api/session-context.tsx';
import { useAction } from '../../api/use-action.ts';
import { openDialog } from '../dialogs/dialog.tsx';
import { DialogForm } from '../dialogs/dialog-form.tsx';
import { notifyDone, notifyFailure } from '../dialogs/notify.tsx';

/** When something was deleted, by whom, and until when it can be restored. */
export interface Deleted {
  readonly deletedAt: string;
  readonly deletedBy: string;
  readonly restorableUntil: string;
}

export interface RestoreButtonProps {
  readonly name: string;
  /**
   * Restores it. The service may reject it with `would_widen_access`; then an administrator is asked, and `confirmed` is
   * true after they confirm.
   */
  readonly restore: (confirmed: boolean) => Promise<unknown>;
  /** Opens its screen. */
  readonly show: () => Promise<unknown>;
}

// The service's advice is for programs; here, a button replaces it.
const HOW_TO_CONFIRM = / Only an administrator .*$/;

/** The button for operators who may restore. */
export const RestoreButton = ({ name, restore, show }: RestoreButtonProps) => {
  const { can } = useRole();
  const run = async (confirmed: boolean) => {
    await restore(confirmed);
    notifyDone(`${name} is restored.`);
    await show();
  };
  const ask = (question: string) =>
    openDialog({
      title: `Restore ${name}`,
      content: (
        <DialogForm verb="Restore anyway" action={() => run(true)}>
          <Text className="cv-break">{question}</Text>
        </DialogForm>
      ),
    });
  const { mutate, isPending } = useAction(
    () => run(false),
    (error) => {
      if (can('admin') && isRefusal(error, 'would_widen_access'))
        ask(messageOf(error).replace(HOW_TO_CONFIRM, ''));
      else notifyFailure(error);
    },
  );
  if (!can('editor')) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isPending}
      onClick={() => mutate()}
      aria-label={`Restore ${name}`}
    >
      Restore
    </Button>
  );
};
