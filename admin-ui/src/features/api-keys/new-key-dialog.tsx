import { Text } from '@mantine/core';
import { useState } from 'react';
import { formByNeed } from '../../components/by-need.tsx';
import { openDialog, useDialog } from '../../components/dialogs/dialog.tsx';
import { LeaveGuard } from '../../components/dialogs/leave-guard.tsx';
import type { KeyRow, NewKey } from './key-queries.ts';
import { NewKeyShown } from './new-key-shown.tsx';

const NewKeyForm = formByNeed('new-key', async () => (await import('./new-key-form.tsx')).NewKeyForm);

/**
 * Creates a key and shows it once.
 * @param replaces the key that the new one replaces, with the same rules
 */
export const openNewKey = (replaces?: KeyRow): void =>
  openDialog({
    title: replaces ? `Rotate ${replaces.name}` : 'New API key',
    holdsInput: true,
    content: <NewKeyForm replaces={replaces} onCreated={showKey} />,
  });

const showKey = (created: NewKey): void =>
  openDialog({
    title: 'Your new API key',
    size: 'lg',
    holdsInput: true,
    content: <OnlyOnce created={created} />,
  });

const OnlyOnce = ({ created }: { readonly created: NewKey }) => {
  // Copied or downloaded, so nothing can be lost.
  const [isKept, setIsKept] = useState(false);
  const { cancel } = useDialog();
  return (
    <>
      <NewKeyShown created={created} onKept={() => setIsKept(true)} onDone={cancel} />
      <LeaveGuard
        when={!isKept}
        title="Have you saved the key?"
        stay="Back to the key"
        leave="I have saved it"
      >
        <Text>It cannot be shown again. Without it, revoke this key and create another one.</Text>
      </LeaveGuard>
    </>
  );
};
