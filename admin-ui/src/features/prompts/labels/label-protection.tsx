import { Modal, Text } from '@mantine/core';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { setProtection } from './protected-labels.ts';

export interface LabelProtectionProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly label: string;
  /** Whether the label is protected now. */
  readonly isProtected: boolean;
}

/** What the protection of a label does not cover. */
export const NOT_COVERED =
  'Callers that ask for no label are not protected by it: they get the latest version, which editors can publish.';

/** Protects a label in every prompt, or removes the protection. */
export const LabelProtection = ({ opened, onClose, label, isProtected }: LabelProtectionProps) => {
  const verb = isProtected ? 'Remove the protection' : 'Protect the label';
  const change = async () => {
    await setProtection(label, !isProtected);
    notifyDone(isProtected ? `${label} is no longer protected.` : `${label} is protected.`);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={isProtected ? `Remove the protection of “${label}”` : `Protect the label “${label}”`}
    >
      <DialogForm verb={verb} canSubmit action={change} onCancel={onClose}>
        <Text size="sm">
          {isProtected ? (
            <>
              In every prompt, editors can set, move and remove <strong>{label}</strong> again.
            </>
          ) : (
            <>
              In every prompt, only administrators can set, move and remove <strong>{label}</strong>, and
              delete or restore a prompt that has it.
            </>
          )}
        </Text>
        {!isProtected && <Text size="sm">{NOT_COVERED}</Text>}
      </DialogForm>
    </Modal>
  );
};
