import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { byNeed } from '../../components/by-need.tsx';
import { StoppedMark } from '../../components/environments.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { Refreshing } from '../../components/layout/refreshing.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { QueryBoundary } from '../../components/states.tsx';
import { FetchesChart } from './fetches-chart.tsx';
import { LastChanges } from './last-changes.tsx';
import { MostFetched } from './most-fetched.tsx';
import { type Overview, overviewQuery } from './overview-queries.ts';
import { RefusedCalls, ToWatch } from './to-watch.tsx';
import { Totals } from './totals.tsx';

const route = getRouteApi('/');

// Shown only in the beginning.
const FirstSteps = byNeed('first-steps', () => import('./first-steps.tsx'));
const SamplesPanel = byNeed('samples', () => import('./samples-panel.tsx'));

const DAYS = ['7', '14', '30'] as const;

/** The overview, the first screen after sign-in. */
export const OverviewScreen = () => {
  const { days = '30' } = route.useSearch();
  const navigate = route.useNavigate();
  const overview = useQuery(overviewQuery(Number(days)));
  return (
    <Screen
      title="Overview"
      beside={<StoppedMark />}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Period"
          value={days}
          onChange={(next) =>
            void navigate({
              replace: true,
              search: { days: DAYS.find((choice) => choice === next) ?? '30' },
            })
          }
          data={DAYS.map((value) => ({ value, label: `${value} days` }))}
        />
      }
    >
      <QueryBoundary query={overview}>
        {(found) => (
          <Refreshing when={overview.isPlaceholderData}>
            <Parts overview={found} />
          </Refreshing>
        )}
      </QueryBoundary>
    </Screen>
  );
};

const Parts = ({ overview }: { overview: Overview }) => {
  const { totals, fetches, refused } = overview;
  const total = fetches.reduce((sum, { prompts, secrets }) => sum + prompts + secrets, 0);
  return (
    <Stack gap="md">
      {!overview.isInUse && <FirstSteps totals={totals} />}
      <ToWatch {...overview} />
      <Totals {...overview} />
      <Panel title="Fetches per day" count={total}>
        <FetchesChart fetches={fetches} />
      </Panel>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
        <MostFetched {...overview} />
        <LastChanges changes={overview.changes} />
      </SimpleGrid>
      {refused.length === 0 && <RefusedCalls refused={refused} />}
      {totals.samples > 0 && <SamplesPanel samples={totals.samples} />}
    </Stack>
  );
};
