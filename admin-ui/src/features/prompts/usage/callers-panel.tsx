import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '../../../../../contract/limits.ts';
import { Panel } from '../../../components/layout/panel.tsx';
import { QueryBoundary } from '../../../components/states.tsx';
import { AffectedKeys, EarlierKeys } from '../impact/affected-keys.tsx';
import { affectedKeys, type Caller, type Callers } from '../impact/impact.ts';
import { callersQuery } from '../prompt-queries.ts';
import type { AccessFilter } from './access-queries.ts';

interface CallersPanelProps {
  readonly promptId: string;
  readonly filter: Pick<AccessFilter, 'key' | 'version'>;
}

/** The API keys that fetch a prompt, each with what it asks for. */
export const CallersPanel = ({ promptId, filter: { key, version } }: CallersPanelProps) => {
  const callers = useQuery(callersQuery(promptId));
  const isShown = (caller: Caller) =>
    (key === undefined || caller.apiKeyId === key) && (version === undefined || caller.version === version);
  return (
    <Panel title={`API keys in the last ${LIMITS.inUseDays} days`}>
      <QueryBoundary query={callers}>
        {(found) => <Keys promptId={promptId} found={found} isShown={isShown} />}
      </QueryBoundary>
    </Panel>
  );
};

interface KeysProps {
  readonly promptId: string;
  readonly found: Callers;
  readonly isShown: (caller: Caller) => boolean;
}

const Keys = ({ promptId, found, isShown }: KeysProps) => {
  const callers = found.callers.filter(isShown);
  return (
    <>
      {callers.length === 0 && (
        <Text size="sm" c="dimmed">
          {found.callers.length === 0 ? 'No API key fetched this prompt.' : 'No API key matches the filter.'}
        </Text>
      )}
      <AffectedKeys
        promptId={promptId}
        keys={affectedKeys(callers, [{ kind: 'prompt' }], [])}
        hasNew={false}
      />
      <EarlierKeys {...found} />
    </>
  );
};
