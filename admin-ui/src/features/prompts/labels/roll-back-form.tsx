import { Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { nextVersion } from '../../../../../contract/versions.ts';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { authored, served } from '../../../components/prompt-content.ts';
import { contentOf, readContent } from '../editor/content.ts';
import { partFor } from '../editor/review/breaking.ts';
import { TypeChange, useTypeChange } from '../editor/review/type-change.tsx';
import { ImpactPanel } from '../impact/impact-panel.tsx';
import type { Prompt, Version } from '../prompt-queries.ts';
import { ContentChanges } from '../versions/content-changes.tsx';
import { TwoVersions } from '../versions/two-versions.tsx';
import { moveBack, publish } from './label-moves.ts';

export interface RollBackProps {
  readonly prompt: Prompt;
  readonly label: string;
  readonly version: string;
  /** The version that it pointed to before. */
  readonly from: string;
  /** When the label moved from there; ISO 8601. */
  readonly movedAt: string;
}

// Until then, hardly anybody relies on the new version, and speed is what matters.
const YOUNG_MS = 10 * 60_000;

/** Points a label back, and offers to publish the good version again for callers that ask for the latest one. */
export const RollBackForm = (props: RollBackProps) => (
  <TwoVersions promptId={props.prompt.promptId} numbers={[props.version, props.from]}>
    {(bad, good) => <Form {...props} bad={bad} good={good} />}
  </TwoVersions>
);

interface FormProps extends RollBackProps {
  readonly bad: Version;
  readonly good: Version;
}

const Form = ({ prompt, label, version, from, movedAt, bad, good }: FormProps) => {
  const isLatest = prompt.latest === version;
  const [isYoung] = useState(Date.now() - Date.parse(movedAt) < YOUNG_MS);
  const [reachesLatest, setReachesLatest] = useState(false);
  const content = authored(good);
  const change = useTypeChange(bad, content);
  const bump = partFor(served(bad), served(good));
  const next = nextVersion(prompt.highest, bump);
  const rollBack = async () => {
    // Without a button in the message that leads back to the bad version.
    if (!reachesLatest) return moveBack(prompt.promptId, label, from, version);
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
      <Stack gap="sm">
        {!isYoung && (
          <ImpactPanel
            promptId={prompt.promptId}
            scopes={[{ kind: 'label', label }, ...(reachesLatest ? [{ kind: 'latest' } as const] : [])]}
            outcome={`get ${reachesLatest ? `${next}, which is ${from},` : from} on the next fetch`}
            change={{ before: served(bad), after: served(good) }}
          />
        )}
        <Text c="dimmed">
          What {from} changes compared with {version}:
        </Text>
        <ContentChanges
          before={{ content: authored(bad) }}
          after={{ content: content }}
          expanded={[served(bad), served(good)]}
          labels={[`version ${version}`, `Version ${from}`]}
        />
      </Stack>
    </DialogForm>
  );
};
