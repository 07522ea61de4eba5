import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { guardLeaving, isLeavingFreely } from '../../api/leaving.ts';
import { useDialog } from './dialog-form.tsx';

interface LeaveGuardProps {
  /** Whether there is unsaved input. */
  readonly when: boolean;
  /** Tried first; if it succeeds, the operator is not asked. */
  readonly save?: () => Promise<unknown>;
  readonly title?: string;
  /** Text of the button that does not leave. */
  readonly stay?: string;
  /** Text of the button that leaves. */
  readonly leave?: string;
  /** What would be lost. */
  readonly children?: ReactNode;
}

/** Asks before unsaved input is lost: by navigation, by sign-out, or when the window closes. */
export const LeaveGuard = ({
  when,
  save,
  title = 'Leave without saving?',
  stay = 'Stay',
  leave = 'Leave',
  children = <Text>What you have typed here is not saved anywhere.</Text>,
}: LeaveGuardProps) => {
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
  const { id } = useDialog();
  useEffect(() =>
    guardLeaving(async () => {
      if (!(await mustAsk())) return true;
      return new Promise((resolve) => setSignOut(() => resolve));
    }, id),
  );
  const decide = (isLeft: boolean) => {
    signOut?.(isLeft);
    setSignOut(undefined);
    if (isLeft) proceed?.();
    else reset?.();
  };
  return (
    <Modal opened={status === 'blocked' || signOut !== undefined} onClose={() => decide(false)} title={title}>
      {children}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => decide(false)} data-autofocus>
          {stay}
        </Button>
        <Button color="brick" onClick={() => decide(true)}>
          {leave}
        </Button>
      </Group>
    </Modal>
  );
};
