import { Alert, Text } from '@mantine/core';
import { breakingChanges } from '../../../../../../contract/content/breaking.ts';
import type { Content } from '../../../../../../contract/content/content.ts';
import type { VersionPart } from '../../../../../../contract/versions.ts';
import { served } from '../../../../components/prompt-content.ts';
import type { Version } from '../../prompt-queries.ts';
import { sentenceOf } from './breaking.ts';

export interface BreakingWarningProps {
  /** The version that callers get now. */
  readonly before: Version;
  /** With its fragments. */
  readonly after: Content;
  readonly part: VersionPart;
}

export const BreakingWarning = ({ before, after, part }: BreakingWarningProps) => {
  const sentences = breakingChanges(served(before), after).map(sentenceOf);
  if (sentences.length === 0) return null;
  return (
    <Alert color="amber" role="status" title={`Callers of ${before.version} may break`}>
      <ul style={{ margin: 0, paddingLeft: '1.1rem' }}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {part !== 'major' && <Text mt={4}>A major version tells callers that they may have to adapt.</Text>}
    </Alert>
  );
};
