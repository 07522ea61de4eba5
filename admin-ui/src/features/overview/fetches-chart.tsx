import { Text } from '@mantine/core';
import { DaysChart } from '../../components/charts/days-chart.tsx';
import type { Overview } from './overview-queries.ts';

const SERIES = [
  { name: 'Prompts', color: 'var(--mantine-color-spruce-6)' },
  { name: 'Secrets', color: 'var(--mantine-color-amber-4)' },
];

/** Prompts fetched and reads of secrets per day, stacked. Days are those of UTC. */
export const FetchesChart = ({ fetches }: Pick<Overview, 'fetches'>) => (
  <>
    {fetches.every(({ prompts, secrets }) => prompts + secrets === 0) && (
      <Text c="dimmed" mb="xs">
        Nothing was fetched in this period. Fetches appear here as soon as an application calls.
      </Text>
    )}
    <DaysChart
      title="Fetches per day (UTC)"
      series={SERIES}
      days={fetches.map(({ day, prompts, secrets }) => ({ day, counts: [prompts, secrets] }))}
    />
  </>
);
