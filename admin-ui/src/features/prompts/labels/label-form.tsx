import { Autocomplete, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { served } from '../../../components/prompt-content.ts';
import { useBreaks } from '../impact/use-breaks.ts';
import { type Prompt, type VersionRow, versionQuery } from '../prompt-queries.ts';
import { Consequence } from './consequence.tsx';
import { moveLabel } from './label-moves.ts';
import { PRODUCTION, SUGGESTED } from './label-names.ts';
import { useLabelProblem } from './protected-labels.ts';

export interface LabelFormProps {
  readonly prompt: Prompt;
  readonly versions: readonly VersionRow[];
  /** The label to move; if omitted, the form asks for its name. */
  readonly label?: string;
  /** The version that is proposed. */
  readonly version?: string;
}

/** The suggested label: production, unless it already points to the proposed version. */
const proposedName = ({ labels }: Prompt, version: string | undefined): string =>
  labels.some((entry) => entry.label === PRODUCTION && entry.version !== version) ? PRODUCTION : '';

/** Sets or moves a label, and shows what that changes and for whom. */
export const LabelForm = ({ prompt, versions, label, version }: LabelFormProps) => {
  const [typed, setTyped] = useState(label ?? (version ? proposedName(prompt, version) : ''));
  const [target, setTarget] = useState(version ?? (label ? null : prompt.latest));
  const name = typed.trim();
  const problem = useLabelProblem()(name);
  const current = prompt.labels.find((entry) => entry.label === name)?.version;
  const now = useQuery({ ...versionQuery(prompt.promptId, current ?? ''), enabled: current !== undefined });
  const next = useQuery({ ...versionQuery(prompt.promptId, target ?? ''), enabled: target !== null });
  const danger = useBreaks(
    prompt.promptId,
    [{ kind: 'label', label: name }],
    now.data && next.data && { before: served(now.data), after: served(next.data) },
  );
  const set = async () => {
    if (target === null) return;
    await moveLabel(prompt.promptId, name, target, current);
  };
  return (
    <DialogForm
      verb={current ? 'Move the label' : 'Set the label'}
      danger={danger}
      canSubmit={name !== '' && problem === undefined && target !== null && target !== current}
      action={set}
    >
      {!label && (
        <Autocomplete
          label="Label"
          data={[...new Set([...prompt.labels.map((entry) => entry.label), ...SUGGESTED])]}
          value={typed}
          onChange={setTyped}
          error={problem}
          // The list would hide the version below.
          openOnFocus={false}
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
        required
        {...(label && { 'data-autofocus': true })}
      />
      {name !== '' && problem === undefined && target !== null && (
        <Consequence promptId={prompt.promptId} name={name} current={current} target={target} />
      )}
    </DialogForm>
  );
};
