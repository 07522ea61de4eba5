import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { useIsExpired, useSession } from '../../api/session-context.tsx';

/** Asks to sign in again, on top of the current screen, which keeps its state; waiting calls continue afterwards. */
export const SessionExpired = () => {
  const session = useSession();
  const expired = useIsExpired();
  const [problem, setProblem] = useState<string>();
  const signIn = () => {
    setProblem(undefined);
    session.signInAgain().catch((error: unknown) => setProblem(messageOf(error)));
  };
  return (
    <Modal
      opened={expired}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      zIndex={500}
    >
      <Text size="md">Sign in again to continue. Your input stays here and is saved afterwards.</Text>
      {problem && (
        <Text size="md" c="brick" mt="sm" role="alert">
          {problem}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button size="sm" onClick={signIn} data-autofocus>
          Sign in again
        </Button>
      </Group>
    </Modal>
  );
};
