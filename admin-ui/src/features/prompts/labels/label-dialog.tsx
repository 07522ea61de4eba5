import { Modal } from '@mantine/core';
import { formByNeed } from '../../../components/by-need.tsx';
import type { LabelFormProps } from './label-form.tsx';

const LabelForm = formByNeed('label-form', async () => (await import('./label-form.tsx')).LabelForm);

/** Sets or moves a label. */
export const LabelDialog = ({ opened, ...form }: LabelFormProps & { readonly opened: boolean }) => (
  <Modal
    opened={opened}
    onClose={form.onClose}
    size="56rem"
    title={form.label ? `Move the label “${form.label}”` : 'Set a label'}
  >
    <LabelForm {...form} />
  </Modal>
);
