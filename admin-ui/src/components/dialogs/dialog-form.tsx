import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useAction } from '../../api/use-action.ts';
import { useDialog } from './dialog.tsx';
import { Refusal } from './refusal.tsx';

interface DialogFormProps {
  /** Text of the button. */
  readonly verb: string;
  /** Color of the button. @default the primary color */
  readonly color?: 'brick';
  /** Whether the input can be sent. @default true */
  readonly canSubmit?: boolean;
  /** Sends the input, then the dialog closes. Errors are shown, and the input stays. */
  readonly action: () => Promise<unknown>;
  /** Text to add to the error message. */
  readonly hint?: (refusal: unknown) => ReactNode;
  readonly children: ReactNode;
}

/** The form in a dialog: its fields, the error of the service, and two buttons. */
export const DialogForm = ({ verb, color, canSubmit = true, action, hint, children }: DialogFormProps) => {
  const { close, cancel } = useDialog();
  const { mutate, isPending, error } = useAction(async () => {
    await action();
    close();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSubmit && !isPending) mutate();
  };
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="sm">
        {children}
        <DialogFooter error={<Refusal error={error}>{hint?.(error)}</Refusal>}>
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" {...(color && { color })} loading={isPending} disabled={!canSubmit}>
            {verb}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
};

/** The buttons of a dialog, and an error above them: always visible, however long the dialog is. */
export const DialogFooter = ({ error, children }: { error?: ReactNode; children: ReactNode }) => (
  <Stack className="cv-footer" gap="xs">
    {error}
    <Group justify="flex-end">{children}</Group>
  </Stack>
);
