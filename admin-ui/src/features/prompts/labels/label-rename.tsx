import { Modal, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { ImpactPanel } from '../impact/impact-panel.tsx';
import { removeLabel, setLabel } from '../prompt-changes.ts';
import type { Prompt } from '../prompt-queries.ts';
import { useLabelProblem } from './protected-labels.ts';

export interface LabelRenameProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly prompt: Prompt;
  readonly label: string;
  readonly version: string;
}

/** Gives a label another name. */
export const LabelRename = ({ opened, onClose, ...rest }: LabelRenameProps) => (
  <Modal opened={opened} onClose={onClose} title={`Rename the label “${rest.label}”`}>
    <RenameForm {...rest} onClose={onClose} />
  </Modal>
);

const RenameForm = ({ onClose, prompt, label, version }: Omit<LabelRenameProps, 'opened'>) => {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const { promptId } = prompt;
  const isTaken = prompt.labels.some((entry) => entry.label === name);
  const labelProblem = useLabelProblem();
  const problem = labelProblem(name) ?? (isTaken && 'The prompt has a label of this name.');
  // The new label comes first: if the second step fails, both serve the version and nobody gets an error.
  const rename = async () => {
    const { rev } = (await setLabel(promptId, name, version, 'none')).prompt;
    await removeLabel(promptId, label, rev);
    notifyDone(`${label} is now called ${name}.`);
    onClose();
  };
  return (
    <DialogForm verb="Rename" canSubmit={name !== '' && !problem} action={rename} onCancel={onClose}>
      <Text size="sm">
        Callers that ask for <strong>{label}</strong> get an error until they ask for the new name.
      </Text>
      <ImpactPanel
        promptId={promptId}
        scopes={[{ kind: 'label', label }]}
        outcome="get an error on the next fetch"
      />
      <TextInput
        label="New name"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={problem}
        data-autofocus
        required
      />
    </DialogForm>
  );
};
