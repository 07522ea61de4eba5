import { LOCALE } from '../../components/locale.ts';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Table, Text, VisuallyHidden } from '@mantine/core';
import type { Overview } from './overview-queries.ts';

const HEIGHT = 200;
const DAY = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** prompts fetched and reads of secrets per day, stacked. Days are those of UTC. */
export const FetchesChart = ({ fetches }: Pick<Overview, 'fetches'>) => {
  const isQuiet = fetches.every(({ prompts, secrets }) => prompts + secrets === 0);
  return (
    <>
      {isQuiet && (
        <Text size="sm" c="dimmed" mb="xs">
          Nothing was fetched in this period. Fetches appear here as soon as an application calls.
        </Text>
      )}
      <div aria-hidden="true">
        <BarChart
          h={HEIGHT}
          type="stacked"
          data={fetches.map(({ day, ...counts }) => ({ ...counts, day: DAY.format(new Date(day)) }))}
          dataKey="day"
          series={[
            { name: 'prompts', label: 'Prompts', color: 'spruce.6' },
            { name: 'secrets', label: 'Secrets', color: 'amber.4' },
          ]}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          xAxisProps={{ interval: 'equidistantPreserveStart' }}
          yAxisProps={{ width: 44, allowDecimals: false, interval: 0 }}
          barProps={{ isAnimationActive: false }}
          maxBarWidth={28}
          tickLine="none"
          // Screen readers and the keyboard use the table below.
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
      <VisuallyHidden>
        <DaysTable fetches={fetches} />
      </VisuallyHidden>
    </>
  );
};

/** The same as a table, for screen readers. */
const DaysTable = ({ fetches }: Pick<Overview, 'fetches'>) => (
  <Table>
    <caption>Fetches per day (UTC)</caption>
    <thead>
      <tr>
        <th scope="col">Day</th>
        <th scope="col">Prompts</th>
        <th scope="col">Secrets</th>
      </tr>
    </thead>
    <tbody>
      {fetches.map(({ day, prompts, secrets }) => (
        <tr key={day}>
          <th scope="row">{day}</th>
          <td>{prompts}</td>
          <td>{secrets}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
