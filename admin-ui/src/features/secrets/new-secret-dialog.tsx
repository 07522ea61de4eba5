import { Modal } from '@mantine/core';
import { closing } from '../../api/leaving.ts';
import { formByNeed } from '../../components/by-need.tsx';

const NewSecretForm = formByNeed(
  'new-secret',
  async () => (await import('./new-secret-form.tsx')).NewSecretForm,
);

interface NewSecretProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** A dialog that stores a new secret. Closing asks first if there is input. */
export const NewSecretDialog = ({ opened, onClose }: NewSecretProps) => (
  <Modal
    opened={opened}
    onClose={closing(onClose)}
    title="New secret"
    closeOnClickOutside={false}
    closeOnEscape={false}
  >
    <NewSecretForm onClose={onClose} />
  </Modal>
);
