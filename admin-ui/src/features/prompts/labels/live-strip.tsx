import { Group, Text } from '@mantine/core';
import { TextLink } from '../../../components/link.tsx';
import { RowButton } from '../../../components/small.tsx';
import type { Prompt, VersionRow } from '../prompt-queries.ts';
import { LabelBadge, VersionLink } from './label-badge.tsx';
import { openLabelForm } from './label-dialogs.tsx';
import { PRODUCTION, productionFirst } from './label-names.ts';
import { useProtection } from './protected-labels.ts';

/** The version that most applications get: that of `production`, else the latest. */
export const liveVersion = ({ labels, latest }: Prompt): string =>
  labels.find(({ label }) => label === PRODUCTION)?.version ?? latest;

/** What each label serves now, and the way to change it. */
export const LiveStrip = ({ prompt, versions }: { prompt: Prompt; versions: readonly VersionRow[] }) => {
  const { mayMove } = useProtection();
  const { promptId, labels, latest } = prompt;
  const live = liveVersion(prompt);
  const sorted = productionFirst(labels);
  const [first] = sorted;
  return (
    <Group component="section" aria-label="What is live" gap="sm" mb="md">
      <Text fw={600}>Live</Text>
      {[...sorted, { label: 'latest', version: latest }].map(({ label, version }) => (
        <Group key={label} gap={4} wrap="nowrap">
          <LabelBadge label={label} />
          <VersionLink version={version} name={`${version}, live as ${label}`} />
        </Group>
      ))}
      {live !== latest && (
        <TextLink
          to="/prompts/$promptId/compare"
          params={{ promptId }}
          search={{ from: live, to: latest }}
          size="sm"
          underline="always"
        >
          Compare {live} with {latest}
        </TextLink>
      )}
      {first && versions.length > 1 && mayMove(first.label) && (
        <RowButton onClick={() => openLabelForm({ prompt, versions, label: first.label })}>
          Move {first.label}
        </RowButton>
      )}
    </Group>
  );
};
