import { Modal } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { mayLeave } from '../../api/leaving.ts';
import { focusTitle } from '../layout/page-title.tsx';
import { closeDialog, DialogContext, forgetClosed, useShown } from './dialog.tsx';

// The dialog returns it too, but only to what is still there.
const returnFocus = (opener: Element): void => {
  if (document.activeElement !== document.body) return;
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
  else focusTitle();
};

// Not in the file of `openDialog`, which the first screens load.
/** Shows the dialog that is open. */
export const OpenDialog = () => {
  const router = useRouter();
  const now = useShown();
  useEffect(
    () => router.subscribe('onBeforeLoad', ({ pathChanged }) => pathChanged && closeDialog()),
    [router],
  );
  const opener = now?.opener;
  useEffect(() => (opener ? () => returnFocus(opener) : undefined), [opener]);
  const { content, holdsInput = false, ...dialog } = now?.dialog ?? { title: '', content: null };
  const close = () => closeDialog(now?.id);
  const cancel = holdsInput ? () => void mayLeave(now?.id).then((may) => may && close()) : close;
  return (
    <Modal
      {...dialog}
      opened={now?.opened === true}
      onClose={cancel}
      onExitTransitionEnd={forgetClosed}
      closeOnClickOutside={!holdsInput}
      closeOnEscape={!holdsInput}
    >
      <DialogContext key={now?.id} value={{ id: now?.id, close, cancel }}>
        {content}
      </DialogContext>
    </Modal>
  );
};
