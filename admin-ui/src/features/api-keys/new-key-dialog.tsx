import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { isLeavingFreely } from '../../api/leaving.ts';
import type { KeyRow, NewKey } from './key-queries.ts';
import { NewKeyForm } from './new-key-form.tsx';
import { NewKeyShown } from './new-key-shown.tsx';

interface NewKeyDialogProps {
  readonly opened: boolean;
  /** The key that the new one replaces, with the same rules. */
  readonly replaces?: KeyRow | undefined;
  readonly onClose: () => void;
}

/** Creates a key, shows it once, and asks before it is lost by closing the dialog, a link, or the window. */
export const NewKeyDialog = ({ opened, replaces, onClose }: NewKeyDialogProps) => {
  const [created, setCreated] = useState<NewKey>();
  // Copied or downloaded, so nothing can be lost.
  const [isKept, setIsKept] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const isAtRisk = created !== undefined && !isKept;
  const blocker = useBlocker({
    shouldBlockFn: () => isAtRisk,
    enableBeforeUnload: () => isAtRisk && !isLeavingFreely(),
    withResolver: true,
  });
  const close = () => {
    setIsLeaving(false);
    setCreated(undefined);
    setIsKept(false);
    onClose();
  };
  const ask = () => (isAtRisk ? setIsLeaving(true) : close());
  const stay = () => {
    setIsLeaving(false);
    blocker.reset?.();
  };
  const leave = () => {
    close();
    blocker.proceed?.();
  };
  return (
    // The stack lets Escape reach only the dialog that was on top when it was pressed.
    <Modal.Stack>
      <Modal
        stackId="key"
        opened={opened}
        onClose={ask}
        title={created ? 'Your new API key' : replaces ? `Rotate ${replaces.name}` : 'New API key'}
        size={created ? 'lg' : 'md'}
        closeOnClickOutside={false}
      >
        {created ? (
          <NewKeyShown created={created} onKept={() => setIsKept(true)} onDone={ask} />
        ) : (
          <NewKeyForm replaces={replaces} onCreated={setCreated} onCancel={close} />
        )}
      </Modal>
      <Modal
        stackId="question"
        opened={isLeaving || blocker.status === 'blocked'}
        onClose={stay}
        title="Have you saved the key?"
      >
        <Stack gap="md">
          <Text>It cannot be shown again. Without it, revoke this key and create another one.</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={stay} data-autofocus>
              Back to the key
            </Button>
            <Button onClick={leave}>I have saved it</Button>
          </Group>
        </Stack>
      </Modal>
    </Modal.Stack>
  );
};
