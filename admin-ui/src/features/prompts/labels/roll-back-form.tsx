import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nextVersion } from '../../../../../contract/versions.ts';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { authored, served } from '../../../components/prompt-content.ts';
import { NotFound, QueryBoundary } from '../../../components/states.tsx';
import { contentOf, readContent } from '../editor/content.ts';
import { partFor } from '../editor/review/breaking.ts';
import { TypeChange, useTypeChange } from '../editor/review/type-change.tsx';
import { type Prompt, promptQuery, type Version } from '../prompt-queries.ts';
import { TwoVersions } from '../versions/two-versions.tsx';
import { ChangeReview } from './change-review.tsx';
import { moveBack, publish } from './label-moves.ts';

export interface RollBackProps {
  readonly promptId: string;
  readonly label: string;
  readonly version: string;
  /** The version that it pointed to before. */
  readonly from: string;
  /** When the label moved from there; ISO 8601. */
  readonly at: string;
}

// Until then, hardly anybody relies on the new version, and speed is what matters.
const YOUNG_MS = 10 * 60_000;

/** Points a label back, and offers to publish the good version again for callers that ask for the latest one. */
export const RollBackForm = (props: RollBackProps) => (
  <QueryBoundary query={useQuery(promptQuery(props.promptId))}>
    {({ prompt }) => (
      <TwoVersions
        promptId={props.promptId}
        numbers={[props.version, props.from]}
        missing={<NotFound what="version" />}
      >
        {(bad, good) => <Form {...props} prompt={prompt} bad={bad} good={good} />}
      </TwoVersions>
    )}
  </QueryBoundary>
);

interface FormProps extends RollBackProps {
  readonly prompt: Prompt;
  readonly bad: Version;
  readonly good: Version;
}

const Form = ({ prompt, promptId, label, version, from, at, bad, good }: FormProps) => {
  const isLatest = prompt.latest === version;
  const [isYoung] = useState(Date.now() - Date.parse(at) < YOUNG_MS);
  const [reachesLatest, setReachesLatest] = useState(false);
  const content = authored(good);
  const change = useTypeChange(bad, content);
  const bump = partFor(served(bad), served(good));
  const next = nextVersion(prompt.highest, bump);
  const rollBack = async () => {
    // Without a button in the message that leads back to the bad version.
    if (!reachesLatest) return moveBack(promptId, label, from, version);
    await publish({ ...prompt, labels: [] }, label, {
      ...readContent({ ...contentOf(good), note: `Back to ${from}` }).body,
      ...{ bump, ...(change.isChange && { changeType: true }) },
    });
  };
  return (
    <DialogForm verb={`Back to ${from}`} canSubmit={!reachesLatest || change.isConfirmed} action={rollBack}>
      {isLatest && (
        <Checkbox
          label={`Publish ${from} again as ${next}, so that callers that ask for the latest version get it too`}
          description={`${version} is the latest version: without this, callers that name neither a label nor a version still get it. Both happen in one step.`}
          checked={reachesLatest}
          onChange={(event) => setReachesLatest(event.currentTarget.checked)}
        />
      )}
      {reachesLatest && <TypeChange {...change} />}
      <ChangeReview
        {...{ promptId, before: bad, after: content, expanded: served(good) }}
        number={reachesLatest ? next : from}
        scopes={
          isYoung
            ? undefined
            : [{ kind: 'label', label }, ...(reachesLatest ? [{ kind: 'latest' } as const] : [])]
        }
      />
    </DialogForm>
  );
};
