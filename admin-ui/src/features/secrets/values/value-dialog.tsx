import { Modal } from '@mantine/core';
import { closing } from '../../../api/leaving.ts';
import { formByNeed } from '../../../components/by-need.tsx';
import type { ValueFormProps } from './value-form.tsx';

const ValueForm = formByNeed('value-form', async () => (await import('./value-form.tsx')).ValueForm);

/** A dialog that changes the value of a secret. Closing asks first if there is input. */
export const ValueDialog = ({ opened, secret, onClose }: ValueFormProps & { readonly opened: boolean }) => (
  <Modal
    opened={opened}
    onClose={closing(onClose)}
    title={`New value of ${secret.key}`}
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    <ValueForm secret={secret} onClose={onClose} />
  </Modal>
);
