import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { guardLeaving, isLeavingFreely } from '../../api/leaving.ts';

interface LeaveGuardProps {
  /** Whether there is unsaved input. */
  readonly when: boolean;
  /** Tried first; if it succeeds, the operator is not asked. */
  readonly save?: () => Promise<unknown>;
}

/** Asks before unsaved input is lost: by navigation, by sign-out, or when the window closes. */
export const LeaveGuard = ({ when, save }: LeaveGuardProps) => {
  const [signOut, setSignOut] = useState<(isLeft: boolean) => void>();
  const mustAsk = async (): Promise<boolean> => {
    if (!when || save === undefined) return when;
    return save().then(
      () => false,
      () => true,
    );
  };
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: mustAsk,
    enableBeforeUnload: () => when && !isLeavingFreely(),
    withResolver: true,
  });
  useEffect(() =>
    guardLeaving(async () => {
      if (!(await mustAsk())) return true;
      return new Promise((resolve) => setSignOut(() => resolve));
    }),
  );
  const decide = (isLeft: boolean) => {
    signOut?.(isLeft);
    setSignOut(undefined);
    if (isLeft) proceed?.();
    else reset?.();
  };
  return (
    <Modal
      opened={status === 'blocked' || signOut !== undefined}
      onClose={() => decide(false)}
      title="Leave without saving?"
    >
      <Text>What you have typed here is not saved anywhere.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => decide(false)}>
          Stay
        </Button>
        <Button color="brick" onClick={() => decide(true)}>
          Leave
        </Button>
      </Group>
    </Modal>
  );
};
