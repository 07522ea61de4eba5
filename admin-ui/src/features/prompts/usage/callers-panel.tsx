import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '../../../../../contract/limits.ts';
import { Panel } from '../../../components/layout/panel.tsx';
import { QueryBoundary } from '../../../components/states.tsx';
import { AffectedKeys, EarlierKeys } from '../impact/affected-keys.tsx';
import { affectedKeys, type Callers, callersOf, type KeyCount } from '../impact/impact.ts';
import { callersQuery } from '../prompt-queries.ts';

interface CallersPanelProps {
  readonly promptId: string;
  readonly filter: { readonly key?: string; readonly version?: string };
  /** The fetches that match the filter, in the last seven days at least. */
  readonly counts: readonly KeyCount[];
}

/** The API keys that fetch a prompt, each with what it asks for. */
export const CallersPanel = ({ promptId, filter: { key, version }, counts }: CallersPanelProps) => {
  const callers = useQuery(callersQuery(promptId));
  const fetched = new Set(counts.map(({ apiKeyId }) => apiKeyId));
  const isShown = ({ apiKeyId }: { readonly apiKeyId: string }) =>
    (key === undefined || apiKeyId === key) && (version === undefined || fetched.has(apiKeyId));
  return (
    <Panel title={`API keys in the last ${LIMITS.inUseDays} days`}>
      <QueryBoundary query={callers}>
        {(found) => (
          <Keys
            promptId={promptId}
            found={{
              ...found,
              callers: callersOf(found.callers.filter(isShown), version, counts),
              earlier: found.earlier.filter(isShown),
            }}
            isFetched={found.callers.length > 0}
          />
        )}
      </QueryBoundary>
    </Panel>
  );
};

interface KeysProps {
  readonly promptId: string;
  readonly found: Callers;
  /** Whether there are callers that do not match the filter. */
  readonly isFetched: boolean;
}

const Keys = ({ promptId, found, isFetched }: KeysProps) => (
  <>
    {found.callers.length === 0 && (
      <Text c="dimmed">
        {isFetched ? 'No API key matches the filter.' : 'No API key fetched this prompt.'}
      </Text>
    )}
    <AffectedKeys
      promptId={promptId}
      keys={affectedKeys(found.callers, [{ kind: 'prompt' }], [])}
      changes={[]}
    />
    <EarlierKeys {...found} />
  </>
);
