import { Alert, Stack, Text } from '@mantine/core';
import { authored, served } from '../../../components/prompt-content.ts';
import type { Scope } from '../impact/impact.ts';
import { ImpactPanel } from '../impact/impact-panel.tsx';
import { TwoVersions } from '../versions/two-versions.tsx';
import { ChangeReview } from './change-review.tsx';

interface ConsequenceProps {
  readonly promptId: string;
  readonly name: string;
  readonly current: string | undefined;
  readonly target: string;
}

/** What pointing a label to another version changes, and for whom. */
export const Consequence = ({ promptId, name, current, target }: ConsequenceProps) => {
  const scopes: Scope[] = [{ kind: 'label', label: name }];
  if (current === target)
    return (
      <Text c="dimmed">
        {name} already serves {target}.
      </Text>
    );
  if (current === undefined)
    return (
      <>
        <Alert color="spruce">
          {name} is new. Callers that ask for it get {target}.
        </Alert>
        <ImpactPanel promptId={promptId} scopes={scopes} outcome={`get ${target} on the next fetch`} />
      </>
    );
  return (
    <>
      <Alert color="amber">
        {name} serves {current} now. Version {target} replaces {current} for every caller that asks for {name}
        , on the next fetch.
      </Alert>
      <TwoVersions promptId={promptId} numbers={[current, target]}>
        {(now, next) => (
          <Stack gap="sm">
            <ChangeReview
              {...{ promptId, scopes, before: now, number: target }}
              after={authored(next)}
              expanded={served(next)}
            />
          </Stack>
        )}
      </TwoVersions>
    </>
  );
};
