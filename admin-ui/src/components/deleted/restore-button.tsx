import { isRefusal, messageOf } from '../../api/api-error.ts';
import { useRole } from '../../api/session-context.tsx';
import { useAction } from '../../api/use-action.ts';
import { confirm } from '../dialogs/dialog-form.tsx';
import { notifyDone, notifyFailure } from '../dialogs/notify.tsx';
import { RowButton } from '../small.tsx';

/** When something was deleted, by whom, and until when it can be restored. */
export type Deleted = Readonly<Record<'deletedAt' | 'deletedBy' | 'restorableUntil', string>>;

export interface RestoreButtonProps {
  readonly name: string;
  /**
   * Restores it. The service may reject it with `would_widen_access`; then an administrator is asked, and `confirmed` is
   * true after they confirm.
   */
  readonly restore: (confirmed: boolean) => Promise<unknown>;
  readonly show: () => Promise<unknown>;
}

// The service's advice is for programs; here, a button replaces it.
const HOW_TO_CONFIRM = / Only an administrator .*$/;

export const RestoreButton = ({ name, restore, show }: RestoreButtonProps) => {
  const { can } = useRole();
  const run = async (confirmed: boolean) => {
    await restore(confirmed);
    notifyDone(`${name} is restored.`);
    await show();
  };
  const ask = (text: string) =>
    confirm({ title: `Restore ${name}`, verb: 'Restore anyway', action: () => run(true), text });
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
    <RowButton loading={isPending} onClick={() => mutate()} aria-label={`Restore ${name}`}>
      Restore
    </RowButton>
  );
};
