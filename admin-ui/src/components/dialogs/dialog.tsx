import type { ModalProps } from '@mantine/core';
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';

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
  /** What gets the focus afterwards, if it is still there. */
  readonly opener: Element | null;
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

// The item of a menu is gone by then, but not the button of the menu.
const focusedNow = (): Element | null => {
  const menu = document.activeElement?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return menu ? document.getElementById(menu) : document.activeElement;
};

/** Opens a dialog, in place of the one that is open. It closes when the operator goes to another screen. */
export const openDialog = (dialog: Dialog): void => {
  count += 1;
  show({ id: count, dialog, opened: true, opener: shown ? shown.opener : focusedNow() });
};

/** Closes a dialog, unless another one has been opened in its place. */
export const closeDialog = (id = shown?.id): void => {
  if (shown?.id === id && shown?.opened) show({ ...shown, opened: false });
};

interface Closing {
  /** Identifies the dialog; absent outside of dialogs. */
  readonly id?: number | undefined;
  readonly close: () => void;
  /** The same, but asks first if there is unsaved input. */
  readonly cancel: () => void;
}

export const DialogContext = createContext<Closing>({ close: () => {}, cancel: () => {} });

/** Closes the dialog around a component. */
export const useDialog = (): Closing => useContext(DialogContext);

/** The dialog that is open or fades out. */
export const useShown = (): Shown | undefined => useSyncExternalStore(subscribe, () => shown);

/** Forgets a dialog that has faded out: what it contained, such as an API key, must not stay in memory. */
export const forgetClosed = (): void => {
  if (shown?.opened === false) show(undefined);
};
