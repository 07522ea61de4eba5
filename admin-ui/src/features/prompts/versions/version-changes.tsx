import { Text } from '@mantine/core';
import { DetailChanges, type Details } from '../detail-changes.tsx';
import { TemplateDiff } from './template-diff.tsx';

interface VersionChangesProps {
  readonly before: Details;
  readonly after: Details;
  /** Label of the two versions for screen readers. */
  readonly labels: readonly [before: string, after: string];
}

/** The differences of two versions: variables, tags, metadata and the text, inline. */
export const VersionChanges = ({ before, after, labels }: VersionChangesProps) => (
  <>
    <DetailChanges before={before} after={after} />
    {before.prompt === after.prompt ? (
      <Text size="sm" role="status">
        The text is the same.
      </Text>
    ) : (
      <TemplateDiff before={before.prompt} after={after.prompt} mode="inline" labels={labels} />
    )}
  </>
);
