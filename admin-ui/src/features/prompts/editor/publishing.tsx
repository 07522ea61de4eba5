import { Autocomplete, Checkbox, Input, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Content } from '../../../../../contract/content/content.ts';
import { nextVersion, type VersionPart } from '../../../../../contract/versions.ts';
import { useLeadOn } from '../../../api/leaving.ts';
import { promptPage, Small } from '../../../components/basics.tsx';
import { DialogForm } from '../../../components/dialogs.tsx';
import { QueryBoundary } from '../../../components/states.tsx';
import { breakingOf, expandedBy, useEffects } from '../impact/impact-panel.tsx';
import { useLabelProblem } from '../labels/label-badge.tsx';
import { defaultLabel, PRODUCTION, suggestedFor } from '../labels/label-names.ts';
import { type Prompt, publish, type Version, versionQuery } from '../prompt-queries.ts';
import { BreakingWarning, ChangeReview } from '../versions/content-changes.tsx';
import type { Body } from './content.ts';

interface PublishFormProps {
  prompt: Prompt;
  /** The part of the version that was chosen. @default - the one that the service proposes */
  part: VersionPart | undefined;
  onPart: (part: VersionPart) => void;
  body: Body;
  /** Runs first; returns the draft that becomes the version. */
  flush?: () => Promise<number | undefined>;
  onRefused?: (refusal: unknown) => Promise<void>;
  children?: ReactNode;
}

/**
 * Publishes a version: its number, what that makes live immediately, for whom, and what it replaces. Warnings, impact and
 * changes compare with the version that the label serves now; without a label, with the latest.
 */
export const PublishForm = (props: PublishFormProps) => {
  const { prompt, onPart, body, children } = props;
  const { promptId, labels, highest, latest } = prompt;
  const leadOn = useLeadOn();
  const [label, setLabel] = useState<string>();
  const type = useTypeChange(prompt, body);
  const name = label?.trim();
  const problemOf = useLabelProblem();
  const problem = name ? problemOf(name) : undefined;
  const pointed = name && !problem ? { label: name } : {};
  const effects = useEffects({
    changes: [{ promptId, latest: true, ...pointed }],
    content: body,
    affected: true,
  });
  const { data, isOld } = effects;
  const chosen = props.part ?? data?.part;
  const part = chosen ?? 'minor';
  const number = nextVersion(highest, part);
  const isServed = labels.some((entry) => entry.label === name);
  const current = useQuery(versionQuery(promptId, data?.changes[0]?.before ?? latest));
  const send = async () => {
    const version = await publish(prompt, label, {
      ...body,
      bump: part,
      draftRev: await props.flush?.(),
      changeType: type.isChange,
    });
    await leadOn({ ...promptPage(promptId), search: { version }, ignoreBlocker: true });
  };
  return (
    <DialogForm
      verb={name ? `Publish ${number} and point ${name} to it` : `Publish ${number}`}
      danger={effects.danger}
      canSubmit={!isOld && !effects.error && name !== '' && problem === undefined && type.isConfirmed}
      action={() =>
        send().catch(async (refusal: unknown) => {
          await props.onRefused?.(refusal);
          throw refusal;
        })
      }
    >
      {children}
      <BumpInput highest={highest} value={chosen} onChange={onPart} />
      {type.field}
      <Checkbox
        label={`Point a label to ${number}`}
        description={`Without it, only callers that name neither a label nor a version get ${number}.`}
        checked={label !== undefined}
        onChange={({ currentTarget: { checked } }) =>
          setLabel(checked ? (defaultLabel(labels) ?? PRODUCTION) : undefined)
        }
      />
      {label !== undefined && (
        <Autocomplete
          size="xs"
          w={260}
          label="Label"
          data={suggestedFor(labels.map((entry) => entry.label))}
          value={label}
          onChange={setLabel}
          error={problem}
        />
      )}
      <QueryBoundary query={current}>
        {(now) => (
          <>
            <BreakingWarning version={now.version} breaking={breakingOf(effects)} part={part} />
            <ChangeReview
              {...{ effects, before: now, after: body, expanded: expandedBy(effects, body), number }}
              remark={isServed ? `, which ${name} serves now` : ', the latest so far'}
            />
          </>
        )}
      </QueryBoundary>
    </DialogForm>
  );
};

const PARTS = [
  { part: 'major', title: 'Major', meaning: 'Something that callers may have to adapt to.' },
  { part: 'minor', title: 'Minor', meaning: 'Something new that callers do not need to know about.' },
  { part: 'patch', title: 'Patch', meaning: 'Same meaning, better wording.' },
] as const;

interface BumpInputProps {
  highest: string;
  /** Undefined until one is proposed or chosen: pressing the part that is already highlighted reports nothing. */
  value: VersionPart | undefined;
  onChange: (part: VersionPart) => void;
}

/** The part of the version to increment, with the resulting version. */
export const BumpInput = ({ highest, value, onChange }: BumpInputProps) => (
  <Input.Wrapper label="Version" labelElement="div">
    <SegmentedControl<VersionPart | ''>
      fullWidth
      styles={{ label: { whiteSpace: 'normal' } }}
      aria-label="Which part of the version to increment"
      value={value ?? ''}
      onChange={(part) => part !== '' && onChange(part)}
      data={PARTS.map(({ part, title }) => ({
        value: part,
        label: `${title} · ${nextVersion(highest, part)}`,
      }))}
    />
    <Small mt={4}>{PARTS.find(({ part }) => part === value)?.meaning}</Small>
  </Input.Wrapper>
);

/** Whether a version changes the type of a prompt, and the field that confirms it. */
export const useTypeChange = (prompt: Prompt, after: Content | Version | undefined) => {
  const [confirmed, confirm] = useState(false);
  const to = after?.type ?? 'text';
  const isChange = after !== undefined && prompt.type !== to;
  return {
    isChange,
    isConfirmed: confirmed || !isChange,
    field: isChange && (
      <Checkbox
        label={`Change the type of this prompt to ${to}`}
        description="Applications that expect the other type cannot use the new version."
        checked={confirmed}
        onChange={(event) => confirm(event.currentTarget.checked)}
      />
    ),
  };
};
