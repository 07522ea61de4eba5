import { Alert, Autocomplete, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { authored, served } from '../../../components/prompt-content.ts';
import { ImpactPanel } from '../impact/impact-panel.tsx';
import type { Prompt, VersionRow } from '../prompt-queries.ts';
import { ContentChanges } from '../versions/content-changes.tsx';
import { TwoVersions } from '../versions/two-versions.tsx';
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
  const set = async () => {
    if (target === null) return;
    await moveLabel(prompt.promptId, name, target, current);
  };
  return (
    <DialogForm
      verb={current ? 'Move the label' : 'Set the label'}
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

export interface ConsequenceProps {
  readonly promptId: string;
  readonly name: string;
  readonly current: string | undefined;
  readonly target: string;
}

/** What pointing a label to another version changes, and for whom. */
export const Consequence = ({ promptId, name, current, target }: ConsequenceProps) => {
  if (current === target) {
    return (
      <Text c="dimmed">
        {name} already serves {target}.
      </Text>
    );
  }
  if (current === undefined) {
    return (
      <>
        <Alert color="spruce">
          {name} is new. Callers that ask for it get {target}.
        </Alert>
        <ImpactPanel
          promptId={promptId}
          scopes={[{ kind: 'label', label: name }]}
          outcome={`get ${target} on the next fetch`}
        />
      </>
    );
  }
  return (
    <>
      <Alert color="amber">
        {name} serves {current} now. Version {target} replaces {current} for every caller that asks for {name}
        , on the next fetch.
      </Alert>
      <Move promptId={promptId} name={name} current={current} target={target} />
    </>
  );
};

const Move = ({ promptId, name, current, target }: ConsequenceProps & { current: string }) => (
  <TwoVersions promptId={promptId} numbers={[current, target]}>
    {(now, next) => (
      <Stack gap="sm">
        <ImpactPanel
          promptId={promptId}
          scopes={[{ kind: 'label', label: name }]}
          outcome={`get ${target} on the next fetch`}
          change={{ before: served(now), after: served(next) }}
        />
        <Text c="dimmed">
          What {target} changes compared with {current}:
        </Text>
        <ContentChanges
          before={authored(now)}
          after={authored(next)}
          expanded={[served(now), served(next)]}
          labels={[`version ${current}`, `Version ${target}`]}
        />
      </Stack>
    )}
  </TwoVersions>
);
