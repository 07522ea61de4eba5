import { Modal, type ModalProps } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from 'react';
import { closing } from '../../api/leaving.ts';

export interface Dialog extends Pick<ModalProps, 'size'> {
  readonly title: string;
  /** Whether it has input that is not to be lost: closing asks first, and neither Escape nor a click outside closes it. */
  readonly holdsInput?: boolean;
  readonly content: ReactNode;
}

interface Shown {
  readonly id: number;
  readonly dialog: Dialog;
  readonly opened: boolean;
}

let shown: Shown | undefined;
let count = 0;
const listeners = new Set<() => void>();

const show = (next: Shown | undefined): void => {
  shown = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Opens a dialog, in place of the one that is open. It closes when the operator goes to another screen. */
export const openDialog = (dialog: Dialog): void => {
  count += 1;
  show({ id: count, dialog, opened: true });
};

// It stays while it fades out. Nothing else may have been opened in its place.
const closeDialog = (id: number | undefined): void => {
  if (shown?.id === id && shown?.opened) show({ ...shown, opened: false });
};

interface Closing {
  /** Closes the dialog of the component. */
  readonly close: () => void;
  /** The same, but asks first if there is unsaved input. */
  readonly cancel: () => void;
}

const DialogContext = createContext<Closing>({ close: () => {}, cancel: () => {} });

/** Closes the dialog around a component. */
export const useDialog = (): Closing => useContext(DialogContext);

/** Shows the dialog that is open. */
export const OpenDialog = () => {
  const router = useRouter();
  const now = useSyncExternalStore(subscribe, () => shown);
  useEffect(
    () => router.subscribe('onBeforeLoad', ({ pathChanged }) => pathChanged && closeDialog(shown?.id)),
    [router],
  );
  const { content, holdsInput = false, ...dialog } = now?.dialog ?? { title: '', content: null };
  const close = () => closeDialog(now?.id);
  const cancel = holdsInput ? closing(close) : close;
  return (
    <Modal
      {...dialog}
      opened={now?.opened === true}
      onClose={cancel}
      // What it contained, such as an API key, must not stay in memory.
      onExitTransitionEnd={() => shown?.opened === false && show(undefined)}
      closeOnClickOutside={!holdsInput}
      closeOnEscape={!holdsInput}
    >
      <DialogContext key={now?.id} value={{ close, cancel }}>
        {content}
      </DialogContext>
    </Modal>
  );
};
