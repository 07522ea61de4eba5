import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useAction } from '../../api/use-action.ts';
import { Refusal } from './refusal.tsx';

interface DialogFormProps {
  /** What the button says. */
  readonly verb: string;
  /** Whether what was typed can be sent. @default true */
  readonly canSubmit?: boolean;
  /** Sends it. What it throws is shown, and what was typed stays. */
  readonly action: () => Promise<unknown>;
  readonly onCancel: () => void;
  /** What to add to the sentence of a refusal. */
  readonly hint?: (refusal: unknown) => ReactNode;
  readonly children: ReactNode;
}

/** The form in a dialog: its fields, why the service refused them, and its two buttons. */
export const DialogForm = ({ verb, canSubmit = true, action, onCancel, hint, children }: DialogFormProps) => {
  const { mutate, isPending, error } = useAction(action);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSubmit && !isPending) mutate();
  };
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="sm">
        {children}
        <Refusal error={error}>{hint?.(error)}</Refusal>
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={!canSubmit}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
