import { Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { messageOf } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { RowButton } from '../small.tsx';

const UNDO_MS = 12_000;

/**
 * Shows that something is done. With `undo`, a button reverts it for some seconds; errors are shown, and so is the text
 * that `undo` returns.
 */
export const notifyDone = (
  message: string,
  undo?: (() => Promise<string>) | undefined,
  undoName = 'Undo',
): void => {
  if (undo === undefined) {
    notifications.show({ message, color: 'spruce' });
    return;
  }
  const id = notifications.show({
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <span>{message}</span>
        <UndoButton
          undo={() => {
            notifications.hide(id);
            return undo();
          }}
        >
          {undoName}
        </UndoButton>
      </Group>
    ),
    color: 'spruce',
    autoClose: UNDO_MS,
  });
};

const UndoButton = ({ undo, children }: { undo: () => Promise<string>; children: string }) => {
  const { mutate } = useAction(async () => notifyDone(await undo()), notifyFailure);
  return (
    <RowButton onClick={mutate} style={{ flexShrink: 0 }}>
      {children}
    </RowButton>
  );
};

/** Shows that a part of the request is ignored. */
export const notifyIgnored = (message: string): void => {
  notifications.show({ message, color: 'amber' });
};

/** Shows an error until it is closed. */
export const notifyFailure = (error: unknown): void => {
  notifications.show({
    title: 'Something went wrong',
    message: messageOf(error),
    color: 'brick',
    autoClose: false,
  });
};
