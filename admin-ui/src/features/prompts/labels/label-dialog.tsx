import { Alert, Autocomplete, Modal, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { notifyDone } from '../../../components/dialogs/notify.ts';
import { setLabel } from '../prompt-changes.ts';
import type { Prompt, VersionRow } from '../prompt-queries.ts';

export interface LabelDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly prompt: Prompt;
  readonly versions: readonly VersionRow[];
  /** The label to move; left out, its name is asked for. */
  readonly label?: string;
  /** The version that is proposed. */
  readonly version?: string;
}

/** Sets or moves a label, and says which version it replaces. */
export const LabelDialog = ({ opened, onClose, ...rest }: LabelDialogProps) => (
  <Modal
    opened={opened}
    onClose={onClose}
    title={rest.label ? `Move the label “${rest.label}”` : 'Set a label'}
  >
    <LabelForm {...rest} onClose={onClose} />
  </Modal>
);

const SUGGESTED = ['production', 'staging', 'preview'];

const LabelForm = ({ onClose, prompt, versions, label, version }: Omit<LabelDialogProps, 'opened'>) => {
  const [name, setName] = useState(label ?? '');
  const [target, setTarget] = useState(version ?? (label ? null : prompt.latest));
  const current = prompt.labels.find((entry) => entry.label === name.trim())?.version;
  const set = async () => {
    if (target === null) return;
    await setLabel(prompt.promptId, name.trim(), target, current ?? 'none');
    notifyDone(`${name.trim()} now serves ${target}.`);
    onClose();
  };
  return (
    <DialogForm
      verb={current ? 'Move the label' : 'Set the label'}
      canSubmit={name.trim() !== '' && target !== null && target !== current}
      action={set}
      onCancel={onClose}
    >
      {!label && (
        <Autocomplete
          label="Label"
          data={[...new Set([...prompt.labels.map((entry) => entry.label), ...SUGGESTED])]}
          value={name}
          onChange={setName}
          data-autofocus
          required
        />
      )}
      <Select
        label="Version"
        data={versions.map((row) => row.version)}
        value={target}
        onChange={setTarget}
        searchable
        allowDeselect={false}
        required
        {...(label && { 'data-autofocus': true })}
      />
      <Consequence name={name.trim()} current={current} target={target} />
    </DialogForm>
  );
};

interface ConsequenceProps {
  readonly name: string;
  readonly current: string | undefined;
  readonly target: string | null;
}

const Consequence = ({ name, current, target }: ConsequenceProps) => {
  if (name === '' || target === null) return null;
  if (current === target) {
    return (
      <Text size="sm" c="dimmed">
        {name} serves {target} already.
      </Text>
    );
  }
  return (
    <Alert color={current ? 'amber' : 'spruce'}>
      {current
        ? `${name} serves ${current} now. Version ${target} replaces ${current} for every caller who asks for ${name}, with the next fetch.`
        : `${name} is new. Callers who ask for it get ${target}.`}
    </Alert>
  );
};
