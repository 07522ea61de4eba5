import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
import type { Content } from '../../../../../contract/content/content.ts';
import type { VersionPart } from '../../../../../contract/versions.ts';
import { Muted } from '../../../components/basics.tsx';
import { authored, served } from '../../../components/prompt-content.ts';
import { byNeed, NotFound, QueryBoundary } from '../../../components/states.tsx';
import type { Effects } from '../impact/impact-panel.tsx';
import { ImpactPanel, sentenceOf } from '../impact/impact-panel.tsx';
import { type Version, versionQuery } from '../prompt-queries.ts';

/** What differs between two contents: their texts, and what else, as a list. */
export const ContentChanges = byNeed(() => import('./content-changes-view.tsx'));

interface TwoVersionsProps {
  promptId: string;
  numbers: readonly [string, string];
  children: (first: Version, second: Version) => ReactNode;
}

export const TwoVersions = ({ promptId, numbers: [one, other], children }: TwoVersionsProps) => {
  const first = useQuery(versionQuery(promptId, one));
  const second = useQuery(versionQuery(promptId, other));
  const missing = <NotFound what="version" />;
  return (
    <QueryBoundary query={first} missing={missing}>
      {(older) => (
        <QueryBoundary query={second} missing={missing}>
          {(newer) => children(older, newer)}
        </QueryBoundary>
      )}
    </QueryBoundary>
  );
};

interface BreakingWarningProps {
  /** The version that callers get now. */
  version: string;
  breaking: readonly BreakingChange[];
  part: VersionPart | undefined;
}

export const BreakingWarning = ({ version, breaking, part }: BreakingWarningProps) =>
  breaking.length > 0 && (
    <Alert role="status" title={`Callers of ${version} may break`}>
      <ul style={{ margin: 0, paddingLeft: '1.1rem' }}>
        {breaking.map(sentenceOf).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {part !== 'major' && <Text mt={4}>A major version tells callers that they may have to adapt.</Text>}
    </Alert>
  );

interface ChangeReviewProps {
  effects: Effects;
  before: Version;
  /** What they get afterwards, as it is written, and with its fragments, if they are known. */
  after: Content;
  expanded: Content | undefined;
  number: string;
  /** Follows the number of the version before. */
  remark?: string;
}

/** Whom a change affects, and what it changes: the same before each move, publish and rollback. */
export const ChangeReview = (props: ChangeReviewProps) => {
  const { effects, before, after, expanded, number, remark = '' } = props;
  return (
    <>
      <ImpactPanel effects={effects} outcome={`get ${number} on the next fetch`} />
      <Muted>
        What {number} changes compared with {before.version}
        {remark}:
      </Muted>
      <ContentChanges
        before={authored(before)}
        after={after}
        expanded={expanded && [served(before), expanded]}
      />
    </>
  );
};
