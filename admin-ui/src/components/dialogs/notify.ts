import { notifications } from '@mantine/notifications';
import { messageOf } from '../../api/api-error.ts';

/** Says that something is done. */
export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'spruce', withBorder: true });
};

/** Says what went wrong; it stays until it is closed. */
export const notifyFailure = (error: unknown): void => {
  notifications.show({
    title: 'Something went wrong',
    message: messageOf(error),
    color: 'brick',
    withBorder: true,
    autoClose: false,
  });
};
