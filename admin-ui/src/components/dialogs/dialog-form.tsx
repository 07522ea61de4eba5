import { Alert, Button, Group, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';

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
  const [refusal, setRefusal] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!canSubmit || busy) return;
    setBusy(true);
    try {
      await action();
    } catch (error) {
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} autoComplete="off">
      <Stack gap="sm">
        {children}
        {refusal !== undefined && (
          <Alert color="brick" role="alert">
            {messageOf(refusal)}
            {hint?.(refusal)}
          </Alert>
        )}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={!canSubmit}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
