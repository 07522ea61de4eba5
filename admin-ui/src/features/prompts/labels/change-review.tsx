import { Text } from '@mantine/core';
import type { Content } from '../../../../../contract/content/content.ts';
import { authored, served } from '../../../components/prompt-content.ts';
import { ImpactPanel, type PromptChange } from '../impact/impact-panel.tsx';
import type { Version } from '../prompt-queries.ts';
import { ContentChanges } from '../versions/content-changes.tsx';

interface ChangeReviewProps {
  readonly change: PromptChange;
  readonly before: Version;
  /** What they get afterwards, as it is written, and with its fragments, if they are known. */
  readonly after: Content;
  readonly expanded: Content | undefined;
  readonly number: string;
  /** Follows the number of the version before. */
  readonly remark?: string;
}

/** Whom a change affects, and what it changes: the same before each move, publish and rollback. */
export const ChangeReview = (props: ChangeReviewProps) => {
  const { change, before, after, expanded, number, remark = '' } = props;
  return (
    <>
      <ImpactPanel changes={[change]} outcome={`get ${number} on the next fetch`} />
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
