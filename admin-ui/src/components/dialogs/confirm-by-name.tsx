import { Alert, Button, Checkbox, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isRefusal, messageOf } from '../../api/api-error.ts';

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
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  const inUse = isRefusal(refusal, 'in_use');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await action(confirmed);
      onClose();
    } catch (error) {
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
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
        {refusal !== undefined && (
          <Alert color={inUse ? 'amber' : 'brick'} role="alert">
            {messageOf(refusal).replace(HOW_TO_CONFIRM, '')}
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
            loading={busy}
            disabled={typed !== name || (inUse && !confirmed)}
          >
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
