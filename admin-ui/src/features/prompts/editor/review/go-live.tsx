import { Autocomplete, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Content } from '../../../../../../contract/content/content.ts';
import { compareVersions, type VersionPart } from '../../../../../../contract/versions.ts';
import { authored, served } from '../../../../components/prompt-content.ts';
import { QueryBoundary } from '../../../../components/states.tsx';
import type { Scope } from '../../impact/impact.ts';
import { ImpactPanel } from '../../impact/impact-panel.tsx';
import { useBreaks } from '../../impact/use-breaks.ts';
import { defaultLabel, PRODUCTION, SUGGESTED } from '../../labels/label-names.ts';
import { useLabelProblem } from '../../labels/protected-labels.ts';
import { type Prompt, versionQuery } from '../../prompt-queries.ts';
import { ContentChanges } from '../../versions/content-changes.tsx';
import { BreakingWarning } from './breaking-warning.tsx';

export interface GoLiveProps {
  readonly prompt: Prompt;
  readonly number: string;
  readonly part: VersionPart;
  readonly content: Content;
  /** The content with its fragments; undefined as long as they are not known. */
  readonly expanded: Content | undefined;
  /** The label to point to it; undefined for none. */
  readonly label: string | undefined;
  readonly onLabel: (label: string | undefined) => void;
}

/** Whether the operator can publish with a selection. */
export const useCanGoLive = (): ((label: string | undefined) => boolean) => {
  const problemOf = useLabelProblem();
  return (label) => label === undefined || (label.trim() !== '' && problemOf(label.trim()) === undefined);
};

const baseOf = ({ labels, latest }: Prompt, label: string | undefined): string =>
  labels.find((entry) => entry.label === label?.trim())?.version ?? latest;

const scopesOf = (prompt: Prompt, number: string, label: string | undefined): Scope[] => {
  const name = label?.trim();
  return [
    ...(compareVersions(number, prompt.latest) > 0 ? [{ kind: 'latest' } as const] : []),
    ...(name ? [{ kind: 'label', label: name } as const] : []),
  ];
};

/** How many callers publishing breaks, as `useBreaks` says it. */
export const usePublishBreaks = ({
  prompt,
  number,
  label,
  expanded,
}: Pick<GoLiveProps, 'prompt' | 'number' | 'label' | 'expanded'>): string | undefined => {
  const { data: now } = useQuery(versionQuery(prompt.promptId, baseOf(prompt, label)));
  const change = now && expanded && { before: served(now), after: expanded };
  return useBreaks(prompt.promptId, scopesOf(prompt, number, label), change);
};

/**
 * What publishing a version makes live immediately, for whom, and what it replaces. Warnings, impact and changes compare
 * with the version that the label serves now; without a label, with the latest.
 */
export const GoLive = ({ prompt, number, part, content, expanded, label, onLabel }: GoLiveProps) => {
  const problemOf = useLabelProblem();
  const name = label?.trim();
  const pointed = prompt.labels.find((entry) => entry.label === name)?.version;
  const base = baseOf(prompt, label);
  const current = useQuery(versionQuery(prompt.promptId, base));
  const scopes = scopesOf(prompt, number, label);
  return (
    <Stack gap="sm">
      <Radio.Group
        label="What goes live"
        description={`Callers that name neither a label nor a version get ${number} on the next fetch, whatever you choose.`}
        value={label === undefined ? 'none' : 'label'}
        onChange={(next) =>
          onLabel(next === 'label' ? (defaultLabel(prompt.labels) ?? PRODUCTION) : undefined)
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
          onChange={onLabel}
          error={problemOf(label.trim())}
        />
      )}
      <QueryBoundary query={current}>
        {(now) => (
          <>
            {expanded && <BreakingWarning before={now} after={expanded} part={part} />}
            <ImpactPanel
              promptId={prompt.promptId}
              scopes={scopes}
              outcome={`get ${number} on the next fetch`}
              {...(expanded && { change: { before: served(now), after: expanded } })}
            />
            <Text c="dimmed">
              What {number} changes compared with {base},{' '}
              {pointed === undefined ? 'the latest so far' : `which ${name} serves now`}:
            </Text>
            <ContentChanges
              before={{ content: authored(now) }}
              after={{ content: content }}
              {...(expanded && { expanded: [served(now), expanded] })}
              labels={[`version ${base}`, `The new version ${number}`]}
            />
          </>
        )}
      </QueryBoundary>
    </Stack>
  );
};
