import { Autocomplete, Checkbox, Input, Radio, SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Content } from '../../../../../../contract/content/content.ts';
import { compareVersions, nextVersion, type VersionPart } from '../../../../../../contract/versions.ts';
import { served } from '../../../../components/prompt-content.ts';
import { Small } from '../../../../components/small.tsx';
import { QueryBoundary } from '../../../../components/states.tsx';
import type { Scope } from '../../impact/impact.ts';
import { useBreaks } from '../../impact/impact-panel-view.tsx';
import { ChangeReview } from '../../labels/change-review.tsx';
import { useLabelProblem } from '../../labels/label-badge.tsx';
import { defaultLabel, PRODUCTION, SUGGESTED } from '../../labels/label-names.ts';
import { publish } from '../../prompt-changes.ts';
import { type Prompt, type Version, versionQuery } from '../../prompt-queries.ts';
import { BreakingWarning } from '../../versions/content-changes.tsx';
import type { Body } from '../content.ts';

interface Publication {
  readonly prompt: Prompt;
  readonly latest: Version;
  readonly part: VersionPart;
  readonly onPart: (part: VersionPart) => void;
  readonly content: Content;
  /** The content with its fragments; undefined as long as they are not known. */
  readonly expanded: Content | undefined;
}

/** A version that is about to be published: what `PublishFields` shows, and what follows from it. */
export const usePublishing = (publication: Publication) => {
  const { prompt, latest, part, content, expanded } = publication;
  const [label, setLabel] = useState<string>();
  const problemOf = useLabelProblem();
  const type = useTypeChange(latest, content);
  const name = label?.trim();
  const problem = name ? problemOf(name) : undefined;
  const number = nextVersion(prompt.highest, part);
  const pointed = prompt.labels.find((entry) => entry.label === name)?.version;
  const current = useQuery(versionQuery(prompt.promptId, pointed ?? prompt.latest));
  const scopes: Scope[] = [
    ...(compareVersions(number, prompt.latest) > 0 ? [{ kind: 'latest' } as const] : []),
    ...(name ? [{ kind: 'label', label: name } as const] : []),
  ];
  const change = current.data && expanded && { before: served(current.data), after: expanded };
  return {
    ...publication,
    ...{ label, setLabel, problem, type, name, number, pointed, current, scopes },
    /** What publishing breaks, as `useBreaks` says it. */
    danger: useBreaks(prompt.promptId, scopes, change),
    verb: name ? `Publish ${number} and point ${name} to it` : `Publish ${number}`,
    canPublish: name !== '' && problem === undefined && type.isConfirmed,
    /** Publishes it and returns its number; `draftRev` is the draft that becomes it. */
    publish: (body: Body & { readonly draftRev?: number | undefined }): Promise<string> =>
      publish(prompt, label, { ...body, bump: part, ...(type.isChange && { changeType: true }) }),
  };
};

/**
 * The number, what publishing makes live immediately, for whom, and what it replaces. Warnings, impact and changes compare
 * with the version that the label serves now; without a label, with the latest.
 */
export const PublishFields = (publishing: ReturnType<typeof usePublishing>) => {
  const { prompt, part, onPart, content, expanded } = publishing;
  const { label, setLabel, problem, type, name, number, pointed, current, scopes } = publishing;
  return (
    <Stack gap="sm">
      <BumpInput highest={prompt.highest} value={part} onChange={onPart} />
      {type.field}
      <Radio.Group
        label="What goes live"
        description={`Callers that name neither a label nor a version get ${number} on the next fetch, whatever you choose.`}
        value={label === undefined ? 'none' : 'label'}
        onChange={(next) =>
          setLabel(next === 'label' ? (defaultLabel(prompt.labels) ?? PRODUCTION) : undefined)
        }
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
          data={[...new Set([...prompt.labels.map((entry) => entry.label), ...SUGGESTED])]}
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
              {...{ promptId: prompt.promptId, before: now, after: content, expanded, number, scopes }}
              remark={pointed === undefined ? ', the latest so far' : `, which ${name} serves now`}
            />
          </>
        )}
      </QueryBoundary>
    </Stack>
  );
};

const PARTS = [
  {
    part: 'major',
    title: 'Major',
    meaning: 'Something that callers may have to adapt to.',
  },
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
    <SegmentedControl
      fullWidth
      size="xs"
      styles={{ label: { whiteSpace: 'normal' } }}
      aria-label="Which part of the version to increment"
      value={value}
      onChange={(next) => onChange(next as VersionPart)}
      data={PARTS.map(({ part, title }) => ({
        value: part,
        label: `${title} · ${nextVersion(highest, part)}`,
      }))}
    />
    <Small mt={4}>{PARTS.find(({ part }) => part === value)?.meaning}</Small>
  </Input.Wrapper>
);

interface Typed {
  readonly type?: 'text' | 'chat' | undefined;
}

/** Whether a version changes the type of a prompt, and the field that confirms it. */
export const useTypeChange = (before: Typed | undefined, after: Typed | undefined) => {
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
