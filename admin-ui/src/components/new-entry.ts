import { useDisclosure } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Opens the dialog for a new entry of the list. */
    opensNew?: true;
  }
}

/** Marks the control that adds to a list, for the shortcut. Operators who may not add anything have no such control. */
export const NEW_CONTROL = { 'data-shortcut': 'n', 'aria-keyshortcuts': 'n' } as const;

/** The dialog for a new entry of a list: opened by its button, and by a navigation with the state `opensNew`. */
export const useNewDialog = () => {
  const [opened, { open, close }] = useDisclosure();
  const asked = useLocation({ select: ({ state }) => (state.opensNew ? state.__TSR_key : undefined) });
  useEffect(() => {
    if (asked !== undefined) open();
  }, [asked, open]);
  return { opened, open, close };
};
