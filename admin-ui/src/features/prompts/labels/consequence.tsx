import { Alert, Stack, Text } from '@mantine/core';
import { authored, served } from '../../../components/prompt-content.ts';
import { ImpactPanel } from '../impact/impact-panel.tsx';
import { ContentChanges } from '../versions/content-changes.tsx';
import { TwoVersions } from '../versions/two-versions.tsx';

interface ConsequenceProps {
  readonly promptId: string;
  readonly name: string;
  readonly current: string | undefined;
  readonly target: string;
}

/** What pointing a label to another version changes, and for whom. */
export const Consequence = ({ promptId, name, current, target }: ConsequenceProps) => {
  if (current === target) {
    return (
      <Text c="dimmed">
        {name} already serves {target}.
      </Text>
    );
  }
  if (current === undefined) {
    return (
      <>
        <Alert color="spruce">
          {name} is new. Callers that ask for it get {target}.
        </Alert>
        <ImpactPanel
          promptId={promptId}
          scopes={[{ kind: 'label', label: name }]}
          outcome={`get ${target} on the next fetch`}
        />
      </>
    );
  }
  return (
    <>
      <Alert color="amber">
        {name} serves {current} now. Version {target} replaces {current} for every caller that asks for {name}
        , on the next fetch.
      </Alert>
      <Move promptId={promptId} name={name} current={current} target={target} />
    </>
  );
};

const Move = ({ promptId, name, current, target }: ConsequenceProps & { current: string }) => (
  <TwoVersions promptId={promptId} numbers={[current, target]}>
    {(now, next) => (
      <Stack gap="sm">
        <ImpactPanel
          promptId={promptId}
          scopes={[{ kind: 'label', label: name }]}
          outcome={`get ${target} on the next fetch`}
          change={{ before: served(now), after: served(next) }}
        />
        <Text c="dimmed">
          What {target} changes compared with {current}:
        </Text>
        <ContentChanges
          before={{ content: authored(now) }}
          after={{ content: authored(next) }}
          expanded={[served(now), served(next)]}
          labels={[`version ${current}`, `Version ${target}`]}
        />
      </Stack>
    )}
  </TwoVersions>
);
