import { Alert, Autocomplete, Badge, Checkbox, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { visible } from '../../../../../contract/content/visible.ts';
import { nextVersion } from '../../../../../contract/versions.ts';
import { Muted, Small, When } from '../../../components/basics.tsx';
import { DialogForm, FIRST_FIELD } from '../../../components/dialogs.tsx';
import { authored, served } from '../../../components/prompt-content.ts';
import { QueryBoundary } from '../../../components/states.tsx';
import { useTypeChange } from '../editor/publishing.tsx';
import { breakingOf, ImpactPanel, useEffects } from '../impact/impact-panel.tsx';
import {
  moveLabel,
  type Prompt,
  promptQuery,
  publish,
  type VersionRow,
  versionQuery,
  versionsQuery,
} from '../prompt-queries.ts';
import { ChangeReview, TwoVersions } from '../versions/content-changes.tsx';
import { useLabelProblem } from './label-badge.tsx';
import { PRODUCTION, suggestedFor } from './label-names.ts';

export interface LabelFormProps {
  promptId: string;
  /** The label to move; if omitted, the form asks for its name. */
  label?: string;
  version?: string;
  /** Whether it goes back to `version` from a bad one. */
  isBack?: boolean;
}

/** Sets or moves a label, and shows what that changes and for whom. */
export const LabelForm = (props: LabelFormProps) => (
  <QueryBoundary query={useQuery(promptQuery(props.promptId))}>
    {({ prompt }) => <Fields {...props} prompt={prompt} />}
  </QueryBoundary>
);

/** A version to choose, with what tells it from the others. */
const VersionOption = ({ row, isServed }: { row: VersionRow; isServed: boolean }) => (
  <div>
    <Group>
      <span className="cv-mono">{row.version}</span>
      {isServed && <Badge color="spruce">serves now</Badge>}
      <Small span>
        <When at={row.publishedAt} short /> by {row.publishedBy}
      </Small>
    </Group>
    {row.note && <Small lineClamp={1}>{visible(row.note)}</Small>}
  </div>
);

const Fields = ({ prompt, label, version, isBack = false }: LabelFormProps & { readonly prompt: Prompt }) => {
  const { promptId, latest, highest, labels } = prompt;
  // Production, unless it already points to the proposed version.
  const isProposed =
    version && labels.some((entry) => entry.label === PRODUCTION && entry.version !== version);
  const [typed, setTyped] = useState(label ?? (isProposed ? PRODUCTION : ''));
  const [target, setTarget] = useState(version ?? (label ? undefined : latest));
  const [isAgain, setIsAgain] = useState(false);
  const { data: versions = [] } = useQuery({ ...versionsQuery(promptId), enabled: !isBack });
  const name = typed.trim();
  const problem = useLabelProblem()(name);
  const current = labels.find((entry) => entry.label === name)?.version;
  const isNamed = name !== '' && problem === undefined;
  const isMove = isNamed && target !== undefined && target !== current;
  const { data: next } = useQuery({
    ...versionQuery(promptId, target ?? ''),
    enabled: target !== undefined,
  });
  const effects = useEffects(
    { changes: [{ promptId, label: name, latest: isAgain, to: target }], affected: true },
    isMove,
  );
  const type = useTypeChange(prompt, next);
  const bump = breakingOf(effects).length > 0 ? 'major' : 'minor';
  const again = nextVersion(highest, bump);
  const number = isAgain ? again : target;
  const set = async () => {
    if (target === undefined || next === undefined) return;
    if (!isAgain) return moveLabel(promptId, name, target, current, isBack);
    await publish({ ...prompt, labels: [] }, name, {
      ...authored(next),
      note: `Back to ${target}`,
      bump,
      changeType: type.isChange,
    });
  };
  return (
    <DialogForm
      verb={isBack ? `Back to ${target}` : current ? 'Move the label' : 'Set the label'}
      danger={effects.danger}
      canSubmit={isMove && next !== undefined && (!isAgain || type.isConfirmed)}
      action={set}
    >
      {!label && (
        <Autocomplete
          label="Label"
          data={suggestedFor(labels.map((entry) => entry.label))}
          value={typed}
          onChange={setTyped}
          error={problem}
          // The list would hide the version below.
          openOnFocus={false}
          {...FIRST_FIELD}
          required
        />
      )}
      {!isBack && (
        <Select
          label="Version"
          data={versions.map((row) => row.version)}
          renderOption={({ option }) => {
            const row = versions.find((each) => each.version === option.value);
            return row && <VersionOption row={row} isServed={row.version === current} />;
          }}
          value={target ?? null}
          onChange={(chosen) => setTarget(chosen ?? undefined)}
          searchable
          required
          {...(label && FIRST_FIELD)}
        />
      )}
      {isBack && current === latest && (
        <Checkbox
          label={`Publish ${target} again as ${again}, so that callers that ask for the latest version get it too`}
          description={`${latest} is the latest version: without this, callers that name neither a label nor a version still get it. Both happen in one step.`}
          checked={isAgain}
          onChange={(event) => setIsAgain(event.currentTarget.checked)}
        />
      )}
      {isAgain && type.field}
      {isNamed &&
        number !== undefined &&
        (current === target ? (
          <Muted>
            {name} already serves {target}.
          </Muted>
        ) : (
          <>
            <Alert color={current ? 'amber' : 'spruce'}>
              {current
                ? `${name} serves ${current} now. Version ${number} replaces ${current} for every caller that asks for ${name}, on the next fetch.`
                : `${name} is new. Callers that ask for it get ${target}.`}
            </Alert>
            {current ? (
              <TwoVersions promptId={promptId} numbers={[current, target ?? '']}>
                {(before, after) => (
                  <ChangeReview
                    {...{ effects, number, before }}
                    after={authored(after)}
                    expanded={served(after)}
                  />
                )}
              </TwoVersions>
            ) : (
              <ImpactPanel effects={effects} outcome={`get ${target} on the next fetch`} />
            )}
          </>
        ))}
    </DialogForm>
  );
};
