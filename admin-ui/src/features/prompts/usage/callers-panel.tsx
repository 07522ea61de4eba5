import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '../../../../../contract/limits.ts';
import { Panel } from '../../../components/layout/panel.tsx';
import { QueryBoundary } from '../../../components/states.tsx';
import { AffectedKeys, EarlierKeys } from '../impact/affected-keys.tsx';
import { affectedKeys } from '../impact/impact.ts';
import { callersQuery } from '../prompt-queries.ts';

/** The API keys that fetch a prompt, each with what it asks for. */
export const CallersPanel = ({ promptId }: { promptId: string }) => {
  const callers = useQuery(callersQuery(promptId));
  return (
    <Panel title={`API keys in the last ${LIMITS.inUseDays} days`}>
      <QueryBoundary query={callers}>
        {(found) => (
          <>
            {found.callers.length === 0 && (
              <Text size="sm" c="dimmed">
                No API key fetched this prompt.
              </Text>
            )}
            <AffectedKeys
              promptId={promptId}
              keys={affectedKeys(found.callers, [{ kind: 'prompt' }], [])}
              hasNew={false}
            />
            <EarlierKeys {...found} />
          </>
        )}
      </QueryBoundary>
    </Panel>
  );
};
