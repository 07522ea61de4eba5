import { Modal } from '@mantine/core';
import { formByNeed } from '../../../components/by-need.tsx';
import type { PublishAgainProps } from './publish-again-form.tsx';

const Form = formByNeed(
  'publish-again',
  async () => (await import('./publish-again-form.tsx')).PublishAgainForm,
);

/** Publishes the content of a version again, under a new number. */
export const PublishAgain = ({ opened, ...form }: PublishAgainProps & { readonly opened: boolean }) => (
  <Modal opened={opened} onClose={form.onClose} size="56rem" title={`Publish ${form.version.version} again`}>
    <Form {...form} />
  </Modal>
);
