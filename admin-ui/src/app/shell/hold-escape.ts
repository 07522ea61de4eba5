import type { Session } from '../../api/session.ts';

/**
 * Keeps Escape from the dialogs behind while the session has ended. They listen on the window, so call this before
 * anything is shown.
 */
export const holdEscape = ({ isExpired }: Session): void =>
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' && isExpired()) event.stopImmediatePropagation();
    },
    { capture: true },
  );
