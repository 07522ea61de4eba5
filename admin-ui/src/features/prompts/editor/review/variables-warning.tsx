import { Alert, Text } from '@mantine/core';
import type { VersionPart } from '../../../../../../contract/versions.ts';
import type { Version } from '../../prompt-queries.ts';
import { variableChanges } from './variable-changes.ts';

const listed = (names: readonly string[]): string => names.join(', ');

export interface VariablesWarningProps {
  /** The latest version. */
  readonly before: Version;
  /** The new text. */
  readonly after: string;
  readonly part: VersionPart;
}

/** Says how the variables differ, and warns if callers of the latest version would break. */
export const VariablesWarning = ({ before, after, part }: VariablesWarningProps) => {
  const { added, removed } = variableChanges(before.prompt, after);
  if (added.length + removed.length === 0) return null;
  const mustChange = added.length > 0;
  return (
    <Alert
      color={mustChange ? 'amber' : 'slate'}
      role="status"
      title={`The variables differ from ${before.version}`}
    >
      {added.length > 0 && <Text size="sm">New: {listed(added)}. Callers must send a value.</Text>}
      {removed.length > 0 && (
        <Text size="sm">
          Removed: {listed(removed)}. Values that callers send for them are ignored; callers need not change
          anything.
        </Text>
      )}
      {mustChange && part !== 'major' && (
        <Text size="sm" mt={4}>
          A major version tells callers that they must change something.
        </Text>
      )}
    </Alert>
  );
};
