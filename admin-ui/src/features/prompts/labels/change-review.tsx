import { Text } from '@mantine/core';
import type { Content } from '../../../../../contract/content/content.ts';
import { authored, served } from '../../../components/prompt-content.ts';
import type { Scope } from '../impact/impact.ts';
import { ImpactPanel } from '../impact/impact-panel.tsx';
import type { Version } from '../prompt-queries.ts';
import { ContentChanges } from '../versions/content-changes.tsx';

interface ChangeReviewProps {
  readonly promptId: string;
  readonly before: Version;
  /** What they get afterwards, as it is written, and with its fragments, if they are known. */
  readonly after: Content;
  readonly expanded: Content | undefined;
  readonly number: string;
  /** Who asks for it; undefined if that is not worth a look. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Follows the number of the version before. */
  readonly remark?: string;
}

/** Whom a change affects, and what it changes: the same before each move, publish and rollback. */
export const ChangeReview = (props: ChangeReviewProps) => {
  const { promptId, before, after, expanded, number, scopes, remark = '' } = props;
  return (
    <>
      {scopes && (
        <ImpactPanel
          promptId={promptId}
          scopes={scopes}
          outcome={`get ${number} on the next fetch`}
          {...(expanded && { change: { before: served(before), after: expanded } })}
        />
      )}
      <Text c="dimmed">
        What {number} changes compared with {before.version}
        {remark}:
      </Text>
      <ContentChanges
        before={{ content: authored(before) }}
        after={{ content: after }}
        {...(expanded && { expanded: [served(before), expanded] })}
        labels={[`version ${before.version}`, `Version ${number}`]}
      />
    </>
  );
};
