import { Alert, Button, Checkbox, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isRefusal, messageOf } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';

export interface ConfirmByNameProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Such as "Delete the prompt". */
  readonly title: string;
  /** What has to be typed. */
  readonly name: string;
  /** What the button says. */
  readonly verb: string;
  /**
   * Does it; `confirmed` is true once the operator has confirmed that it is in use, which is asked for when the service
   * refuses with `in_use`.
   */
  readonly action: (confirmed: boolean) => Promise<unknown>;
  /** What will happen. */
  readonly children: ReactNode;
}

// The service tells programs how to go on; here it is the checkbox.
const HOW_TO_CONFIRM = / Send confirm=true.*$/;

/** A dialog in front of what destroys something: the name must be typed. */
export const ConfirmByName = ({ opened, onClose, title, ...rest }: ConfirmByNameProps) => (
  <Modal opened={opened} onClose={onClose} title={title}>
    <ConfirmForm {...rest} onClose={onClose} />
  </Modal>
);

const ConfirmForm = ({
  onClose,
  name,
  verb,
  action,
  children,
}: Omit<ConfirmByNameProps, 'opened' | 'title'>) => {
  const [typed, setTyped] = useState('');
  const [confirmed, setConfirmed] = useState(false);
  // Kept while it is tried again: the question stays where it is.
  const [inUse, setInUse] = useState(false);
  const { mutate, isPending, error } = useAction(
    async () => {
      await action(confirmed);
      onClose();
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
        <Text component="div">{children}</Text>
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
            {messageOf(error).replace(HOW_TO_CONFIRM, '')}
          </Alert>
        )}
        {inUse && (
          <Checkbox
            label="Delete anyway: I know that it is in use."
            checked={confirmed}
            onChange={(event) => setConfirmed(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            color="brick"
            type="submit"
            loading={isPending}
            disabled={typed !== name || (inUse && !confirmed)}
          >
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
