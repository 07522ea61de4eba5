import { Autocomplete, Checkbox, Input, Radio, SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Content } from '../../../../../../contract/content/content.ts';
import { compareVersions, nextVersion, type VersionPart } from '../../../../../../contract/versions.ts';
import { DialogForm } from '../../../../components/dialogs/dialog-form.tsx';
import { served } from '../../../../components/prompt-content.ts';
import { Small } from '../../../../components/small.tsx';
import { QueryBoundary } from '../../../../components/states.tsx';
import { meaningOf, type Scope } from '../../impact/impact.ts';
import { useImpact } from '../../impact/impact-panel.tsx';
import { useLabelProblem } from '../../labels/label-badge.tsx';
import { defaultLabel, PRODUCTION, suggestedFor } from '../../labels/label-names.ts';
import { publish } from '../../prompt-changes.ts';
import { type Prompt, type Version, versionQuery } from '../../prompt-queries.ts';
import { BreakingWarning, ChangeReview } from '../../versions/content-changes.tsx';
import type { Body } from '../content.ts';

interface PublishFormProps {
  readonly prompt: Prompt;
  readonly latest: Version;
  readonly part: VersionPart;
  readonly onPart: (part: VersionPart) => void;
  readonly body: Body;
  /** The content with its fragments; undefined as long as they are not known. */
  readonly expanded: Content | undefined;
  readonly canPublish?: boolean;
  /** Runs first; returns the draft that becomes the version. */
  readonly flush?: () => Promise<number | undefined>;
  readonly onRefused?: (refusal: unknown) => Promise<void>;
  readonly children?: ReactNode;
}

/**
 * Publishes a version: its number, what that makes live immediately, for whom, and what it replaces. Warnings, impact and
 * changes compare with the version that the label serves now; without a label, with the latest.
 */
export const PublishForm = (props: PublishFormProps) => {
  const { prompt, latest, part, onPart, body, expanded, canPublish = true, children } = props;
  const { promptId, labels } = prompt;
  const navigate = useNavigate();
  const [label, setLabel] = useState<string>();
  const type = useTypeChange(latest, body);
  const name = label?.trim();
  const problemOf = useLabelProblem();
  const problem = name ? problemOf(name) : undefined;
  const number = nextVersion(prompt.highest, part);
  const pointed = labels.find((entry) => entry.label === name)?.version;
  const current = useQuery(versionQuery(promptId, pointed ?? prompt.latest));
  const scopes: Scope[] = [
    ...(compareVersions(number, prompt.latest) > 0 ? [{ kind: 'latest' } as const] : []),
    ...(name ? [{ kind: 'label', label: name } as const] : []),
  ];
  const contents = current.data && expanded && { before: served(current.data), after: expanded };
  const change = { ...prompt, scopes, ...meaningOf(contents) };
  const send = async () => {
    const draftRev = await props.flush?.();
    const version = await publish(prompt, label, {
      ...body,
      bump: part,
      ...(draftRev !== undefined && { draftRev }),
      ...(type.isChange && { changeType: true }),
    });
    const search = { version };
    await navigate({ to: '/prompts/$promptId', params: { promptId }, search, ignoreBlocker: true });
  };
  return (
    <DialogForm
      verb={name ? `Publish ${number} and point ${name} to it` : `Publish ${number}`}
      danger={useImpact([change]).danger}
      canSubmit={canPublish && name !== '' && problem === undefined && type.isConfirmed}
      action={() =>
        send().catch(async (refusal: unknown) => {
          await props.onRefused?.(refusal);
          throw refusal;
        })
      }
    >
      {children}
      <BumpInput highest={prompt.highest} value={part} onChange={onPart} />
      {type.field}
      <Radio.Group
        label="What goes live"
        description={`Callers that name neither a label nor a version get ${number} on the next fetch, whatever you choose.`}
        value={label === undefined ? 'none' : 'label'}
        onChange={(next) => setLabel(next === 'label' ? (defaultLabel(labels) ?? PRODUCTION) : undefined)}
      >
        <Stack gap={6} mt={6}>
          <Radio size="sm" value="none" label="Publish without moving a label" />
          <Radio size="sm" value="label" label={`Publish and point a label to ${number}`} />
        </Stack>
      </Radio.Group>
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
            {expanded && <BreakingWarning before={now} after={expanded} part={part} />}
            <ChangeReview
              {...{ change, before: now, after: body, expanded, number }}
              remark={pointed === undefined ? ', the latest so far' : `, which ${name} serves now`}
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
  readonly highest: string;
  readonly value: VersionPart;
  readonly onChange: (part: VersionPart) => void;
}

/** The part of the version to increment, with the resulting version. */
export const BumpInput = ({ highest, value, onChange }: BumpInputProps) => (
  <Input.Wrapper label="Version" labelElement="div">
    <SegmentedControl<VersionPart>
      fullWidth
      styles={{ label: { whiteSpace: 'normal' } }}
      aria-label="Which part of the version to increment"
      value={value}
      onChange={onChange}
      data={PARTS.map(({ part, title }) => ({
        value: part,
        label: `${title} · ${nextVersion(highest, part)}`,
      }))}
    />
    <Small mt={4}>{PARTS.find(({ part }) => part === value)?.meaning}</Small>
  </Input.Wrapper>
);

/** Whether a version changes the type of a prompt, and the field that confirms it. */
export const useTypeChange = (before: Content | Version | undefined, after: typeof before) => {
  const [confirmed, confirm] = useState(false);
  const [from, to] = [before, after].map((one) => one?.type ?? 'text');
  const isChange = before !== undefined && after !== undefined && from !== to;
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
