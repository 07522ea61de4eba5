import { Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '../../../../../contract/limits.ts';
import { counted } from '../../../components/count.ts';
import { QueryBoundary } from '../../../components/states.tsx';
import { callersQuery } from '../prompt-queries.ts';
import { AffectedKeys, EarlierKeys } from './affected-keys.tsx';
import { type Callers, type ContentChange, impactOf, type Scope } from './impact.ts';

export interface ImpactPanelProps {
  readonly promptId: string;
  readonly scopes: readonly Scope[];
  /** What will happen to these callers, such as "get 1.2.0 on the next fetch". */
  readonly outcome: string;
  readonly change?: ContentChange;
}

/** Who is affected by a change: the API keys that fetched it within seven days. */
export const ImpactPanelView = (props: ImpactPanelProps) => {
  const callers = useQuery(callersQuery(props.promptId));
  return (
    <Paper component="section" withBorder py={10} px="sm" aria-label="Who is affected">
      <Text fw={600}>Who is affected</Text>
      <QueryBoundary query={callers}>
        {(found) => (
          <>
            <Affected {...props} found={found} />
            <EarlierKeys {...found} />
          </>
        )}
      </QueryBoundary>
    </Paper>
  );
};

const nameOf = (scope: Scope): string => {
  if (scope.kind === 'prompt') return 'this prompt';
  if (scope.kind === 'latest') return 'the latest version';
  return scope.kind === 'label' ? `the label ${scope.label}` : `version ${scope.version}`;
};

const Affected = ({ promptId, scopes, outcome, change, found }: ImpactPanelProps & { found: Callers }) => {
  const { keys, changes } = impactOf(found.callers, scopes, change);
  const what = `${scopes.map(nameOf).join(' or ')} in the last ${LIMITS.inUseDays} days`;
  const fetches = keys.reduce((sum, key) => sum + key.fetches, 0);
  if (keys.length === 0) return <Text c="dimmed">No API key asked for {what}.</Text>;
  return (
    <>
      <Text>
        {counted(keys.length, 'API key')} asked for {what} ({counted(fetches, 'fetch', 'fetches')}) and will{' '}
        {outcome}.
      </Text>
      <AffectedKeys promptId={promptId} keys={keys} isJudged={changes.length > 0} />
    </>
  );
};
