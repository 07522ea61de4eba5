import { Button, Group, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useAction } from '../../api/use-action.ts';
import { openDialog, useDialog } from './dialog.tsx';
import { notifyDone } from './notify.tsx';
import { Refusal } from './refusal.tsx';

interface DialogFormProps {
  /** Text of the button. */
  readonly verb: string;
  /** Color of the button. @default the primary color */
  readonly color?: 'brick';
  /** What the action would break; makes the button a dangerous one. */
  readonly danger?: string | undefined;
  /** Whether the input can be sent. @default true */
  readonly canSubmit?: boolean;
  /** Sends the input, then the dialog closes. Errors are shown, and the input stays. */
  readonly action: () => Promise<unknown>;
  /** Says that it is done. */
  readonly done?: string;
  /** Text to add to the error message. */
  readonly hint?: (refusal: unknown) => ReactNode;
  readonly children?: ReactNode;
}

/** The form in a dialog: its fields, the error of the service, and two buttons. */
export const DialogForm = (props: DialogFormProps) => {
  const { verb, danger, color = danger && 'brick', canSubmit = true, action, done, hint, children } = props;
  const { close, cancel } = useDialog();
  const { mutate, isPending, error } = useAction(async () => {
    await action();
    if (done) notifyDone(done);
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
        <DialogFooter danger={danger} error={<Refusal error={error}>{hint?.(error)}</Refusal>}>
          <Button size="sm" variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button size="sm" type="submit" {...(color && { color })} loading={isPending} disabled={!canSubmit}>
            {verb}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
};

interface Question extends DialogFormProps {
  readonly title: string;
  readonly text: ReactNode;
}

/** Asks before an action. */
export const confirm = ({ title, text, children, ...form }: Question): void =>
  openDialog({
    title,
    content: (
      <DialogForm {...form}>
        <Text component="div" size="md" className="cv-break">
          {text}
        </Text>
        {children}
      </DialogForm>
    ),
  });

interface DialogFooterProps {
  readonly error?: ReactNode;
  /** What the button would break. */
  readonly danger?: string | undefined;
  readonly children: ReactNode;
}

/** The buttons of a dialog, and an error above them: always visible, however long the dialog is. */
export const DialogFooter = ({ error, danger, children }: DialogFooterProps) => (
  <Stack className="cv-footer" gap="xs">
    {error}
    {danger && (
      <Text c="brick" fw={600} ta="right" role="status">
        {danger}
      </Text>
    )}
    <Group justify="flex-end">{children}</Group>
  </Stack>
);
