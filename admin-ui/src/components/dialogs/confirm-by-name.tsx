import { Alert, Button, Checkbox, Code, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isRefusal, messageOfChange } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { openDialog, useDialog } from './dialog.tsx';
import { DialogFooter } from './dialog-form.tsx';
import { notifyDone } from './notify.tsx';

export interface Confirmation {
  /** Such as "Delete the prompt". */
  readonly title: string;
  /** The name to type. */
  readonly name: string;
  /** Text of the button. */
  readonly verb: string;
  /**
   * Runs the action. The service may reject it with `in_use`; then the operator is asked, and `confirmed` is true after
   * they confirm.
   */
  readonly action: (confirmed: boolean) => Promise<unknown>;
  /** Says that it is done. */
  readonly done?: string;
  /** Who is affected. */
  readonly affected?: ReactNode;
  /** What will happen. */
  readonly text: ReactNode;
}

// The service's advice is for programs; here, a checkbox replaces it.
const HOW_TO_CONFIRM = / Send confirm=true.*$/;

/** Asks before a destructive action: the name must be typed. */
export const confirmByName = ({ title, ...form }: Confirmation): void =>
  openDialog({ title, content: <ConfirmForm {...form} /> });

const ConfirmForm = ({ name, verb, action, done, affected, text }: Omit<Confirmation, 'title'>) => {
  const { close } = useDialog();
  const [typed, setTyped] = useState('');
  const [confirmed, setConfirmed] = useState(false);
  // Kept during a retry, so that the question stays visible.
  const [inUse, setInUse] = useState(false);
  const { mutate, isPending, error } = useAction(
    async () => {
      await action(confirmed);
      if (done) notifyDone(done);
      close();
    },
    (refusal) => setInUse(isRefusal(refusal, 'in_use')),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="md" component="div">
          {text}
        </Text>
        {affected}
        <TextInput
          data-autofocus
          label={
            <>
              Type{' '}
              <Code className="cv-break" style={{ whiteSpace: 'pre-wrap' }}>
                {name}
              </Code>{' '}
              to confirm
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        {error !== null && (
          <Alert color={inUse ? 'amber' : 'brick'} role="alert">
            {messageOfChange(error).replace(HOW_TO_CONFIRM, '')}
          </Alert>
        )}
        {inUse && (
          <Checkbox
            label="Delete anyway: I know that it is in use."
            checked={confirmed}
            onChange={(event) => setConfirmed(event.currentTarget.checked)}
          />
        )}
        <DialogFooter>
          <Button size="sm" variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            size="sm"
            color="brick"
            type="submit"
            loading={isPending}
            disabled={typed !== name || (inUse && !confirmed)}
          >
            {verb}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
};
