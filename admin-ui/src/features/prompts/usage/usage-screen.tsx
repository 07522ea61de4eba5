import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Panel } from '../../../components/layout/panel.tsx';
import { Screen } from '../../../components/layout/screen.tsx';
import { TextLink } from '../../../components/link.tsx';
import { QueryBoundary } from '../../../components/states.tsx';
import { MissingPrompt } from '../missing-prompt.tsx';
import { promptQuery, type Usage, usageQuery } from '../prompt-queries.ts';
import { AccessesPanel } from './accesses-panel.tsx';
import { UsageChart } from './usage-chart.tsx';
import { UsageEvents } from './usage-events.tsx';

const route = getRouteApi('/prompts/$promptId/usage');

const DAYS = ['7', '30', '90'] as const;

/** Who fetched which version of a prompt, and when. */
export const UsageScreen = () => {
  const { promptId } = route.useParams();
  const { days = '30' } = route.useSearch();
  const navigate = route.useNavigate();
  const details = useQuery(promptQuery(promptId));
  const usage = useQuery(usageQuery(promptId, Number(days)));
  return (
    <QueryBoundary query={details} missing={<MissingPrompt promptId={promptId} />}>
      {({ prompt }) => (
        <Screen
          title="Usage and access history"
          above={
            <TextLink to="/prompts/$promptId" params={{ promptId }}>
              {prompt.name}
            </TextLink>
          }
          actions={
            <SegmentedControl
              size="xs"
              aria-label="Period"
              value={days}
              onChange={(next) =>
                void navigate({
                  replace: true,
                  search: (search) => ({ ...search, days: DAYS.find((choice) => choice === next) ?? '30' }),
                })
              }
              data={DAYS.map((value) => ({ value, label: `${value} days` }))}
            />
          }
        >
          <QueryBoundary query={usage}>
            {(found) => <Parts usage={found} promptId={promptId} name={prompt.name} />}
          </QueryBoundary>
        </Screen>
      )}
    </QueryBoundary>
  );
};

const Parts = ({ usage, promptId, name }: { usage: Usage; promptId: string; name: string }) => {
  const total = usage.counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <Stack gap="md">
      <Panel title="Fetches per day" count={total}>
        {total === 0 && (
          <Text size="sm" c="dimmed" mb="xs">
            Nobody fetched this prompt in this period.
          </Text>
        )}
        <UsageChart usage={usage} />
        <UsageEvents events={usage.events} title="Changes in this period" />
      </Panel>
      <AccessesPanel promptId={promptId} name={name} usage={usage} />
    </Stack>
  );
};
