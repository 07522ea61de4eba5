import { Badge, Group, Text } from '@mantine/core';
import { changesOf, variableChanges } from './editor/review/variable-changes.ts';
import type { Version } from './prompt-queries.ts';
import { TemplateDiff } from './versions/template-diff.tsx';

/** The content of a version. */
export type Details = Pick<Version, 'prompt' | 'tags' | 'metaProperties'>;

/** Differences of two versions other than the text: variables, tags, metadata. */
export const DetailChanges = ({ before, after }: { before: Details; after: Details }) => {
  const [older, newer] = [before, after].map((content) =>
    JSON.stringify(content.metaProperties, undefined, 2),
  );
  return (
    <>
      <Names title="Variables" {...variableChanges(before.prompt, after.prompt)} />
      <Names title="Tags" {...changesOf(before.tags, after.tags)} />
      {older !== newer && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            Metadata
          </Text>
          <TemplateDiff
            before={older ?? ''}
            after={newer ?? ''}
            mode="inline"
            labels={['the metadata before', 'the metadata after']}
          />
        </div>
      )}
    </>
  );
};

// Names are shown in full before publishing.
const WRAPPING = {
  root: { height: 'auto', maxWidth: '100%' },
  label: { whiteSpace: 'normal', overflowWrap: 'anywhere' },
} as const;

interface NamesProps {
  readonly title: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const Names = ({ title, added, removed }: NamesProps) =>
  added.length + removed.length === 0 ? null : (
    <Group gap={6}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {removed.map((name) => (
        <Badge key={name} color="brick" styles={WRAPPING}>
          − {name}
        </Badge>
      ))}
      {added.map((name) => (
        <Badge key={name} color="spruce" styles={WRAPPING}>
          + {name}
        </Badge>
      ))}
    </Group>
  );
