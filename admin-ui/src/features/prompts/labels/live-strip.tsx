import { Group, Text } from '@mantine/core';
import { useRole } from '../../../api/session-context.tsx';
import { TextLink } from '../../../components/link.tsx';
import { RowButton } from '../../../components/small.tsx';
import type { Prompt, VersionRow } from '../prompt-queries.ts';
import { LabelBadge, VersionLink } from './label-badge.tsx';
import { openLabelForm } from './label-dialogs.tsx';
import { isReserved, PRODUCTION } from './label-names.ts';
import { useProtection } from './protected-labels.ts';

/** The version that most applications get: that of `production`, else the latest. */
export const liveVersion = ({ labels, latest }: Prompt): string =>
  labels.find(({ label }) => label === PRODUCTION)?.version ?? latest;

/** What each label serves now, and the way to change it. */
export const LiveStrip = ({ prompt, versions }: { prompt: Prompt; versions: readonly VersionRow[] }) => {
  const { can } = useRole();
  const { refusalOf } = useProtection();
  const { promptId, labels, latest } = prompt;
  const live = liveVersion(prompt);
  const first = labels.find(({ label }) => label === PRODUCTION) ?? labels[0];
  const canMove =
    first !== undefined &&
    can('editor') &&
    versions.length > 1 &&
    !isReserved(first.label) &&
    refusalOf(first.label) === undefined;
  return (
    <Group component="section" aria-label="What is live" gap="sm" mb="md">
      <Text fw={600}>Live</Text>
      {[...labels, { label: 'latest', version: latest }].map(({ label, version }) => (
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
      {canMove && (
        <RowButton onClick={() => openLabelForm({ prompt, versions, label: first.label })}>
          Move {first.label}
        </RowButton>
      )}
    </Group>
  );
};
