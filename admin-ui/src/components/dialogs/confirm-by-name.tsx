import { Checkbox, Code, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isRefusal } from '../../api/api-error.ts';
import { openDialog } from './dialog.tsx';
import { DialogForm } from './dialog-form.tsx';

export interface Confirmation {
  /** Such as "Delete the prompt". */
  readonly title: string;
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
  readonly affected?: ReactNode;
  /** What will happen. */
  readonly text: ReactNode;
}

/** Asks before a destructive action: the name must be typed. */
export const confirmByName = ({ title, ...form }: Confirmation): void =>
  openDialog({ title, content: <ConfirmForm {...form} /> });

/** The form of `confirmByName`. */
export const ConfirmForm = ({ name, action, affected, text, ...form }: Omit<Confirmation, 'title'>) => {
  const [typed, setTyped] = useState('');
  const [confirmed, setConfirmed] = useState(false);
  const [inUse, setInUse] = useState(false);
  const run = async () => {
    try {
      await action(confirmed);
    } catch (error) {
      setInUse(isRefusal(error, 'in_use'));
      throw error;
    }
  };
  return (
    <DialogForm
      {...form}
      color="brick"
      canSubmit={typed === name && (!inUse || confirmed)}
      action={run}
      hint={(refusal) =>
        isRefusal(refusal, 'in_use') && (
          <Checkbox
            mt="xs"
            label="Delete anyway: I know that it is in use."
            checked={confirmed}
            onChange={(event) => setConfirmed(event.currentTarget.checked)}
          />
        )
      }
    >
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
        spellCheck={false}
      />
    </DialogForm>
  );
};
