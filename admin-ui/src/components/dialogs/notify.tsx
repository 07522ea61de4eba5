import { Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { messageOf } from '../../api/api-error.ts';
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
  const run = async () => {
    notifications.hide(id);
    try {
      notifyDone(await undo());
    } catch (error) {
      notifyFailure(error);
    }
  };
  const id = notifications.show({
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <span>{message}</span>
        <RowButton onClick={() => void run()} style={{ flexShrink: 0 }}>
          {undoName}
        </RowButton>
      </Group>
    ),
    color: 'spruce',
    autoClose: UNDO_MS,
  });
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
