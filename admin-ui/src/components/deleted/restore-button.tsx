import { Button } from '@mantine/core';
import { useRole } from '../../api/session-context.tsx';
import { useAction } from '../../api/use-action.ts';
import { notifyDone, notifyFailure } from '../dialogs/notify.tsx';

/** When something was deleted, by whom, and until when it can be restored. */
export interface Deleted {
  readonly deletedAt: string;
  readonly deletedBy: string;
  readonly restorableUntil: string;
}

export interface RestoreButtonProps {
  readonly name: string;
  /** Restores it. */
  readonly restore: () => Promise<unknown>;
  /** Opens its screen. */
  readonly show: () => Promise<unknown>;
}

/** The button for operators who may restore. */
export const RestoreButton = ({ name, restore, show }: RestoreButtonProps) => {
  const { can } = useRole();
  const { mutate, isPending } = useAction(async () => {
    await restore();
    notifyDone(`${name} is back.`);
    await show();
  }, notifyFailure);
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
