import { LOCALE } from '../../../components/locale.ts';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { Table, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { Usage } from '../prompt-queries.ts';
import { daysBetween, seriesOf, type UsageDay, usageDays } from './usage-days.ts';
import { sidesOf } from './usage-marks.ts';

const COLORS = [
  'spruce.6',
  'amber.4',
  'slate.5',
  'plum.5',
  'brick.5',
  'spruce.3',
  'amber.7',
  'slate.3',
  'gray.5',
];
const HEIGHT = 240;
const AXIS_WIDTH = 44;

const DAY = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' });

const dayName = (day: string): string => DAY.format(new Date(day));

// The dots of a version would be interpreted as a path.
const field = (index: number): string => `s${index}`;

/** The days on which the prompt changed, with their marks, for a chart of this width in pixels. */
const marksOf = ({ events, from, to: lastDay }: Usage, chartWidth: number) => {
  const marks = new Map<string, string[]>();
  for (const { at, type, version, label, to } of events) {
    const isVersion = type === 'published' || type === 'prompt-created';
    const text = isVersion ? version : type === 'label-set' ? `${label} → ${to}` : undefined;
    if (text !== undefined) marks.set(at.slice(0, 10), [...(marks.get(at.slice(0, 10)) ?? []), text]);
  }
  const days = daysBetween(from, lastDay);
  const width = chartWidth - AXIS_WIDTH;
  const placed = [...marks].toSorted().map(([day, texts]) => ({
    day,
    x: ((days.indexOf(day) + 0.5) * width) / days.length,
    text: texts.length > 1 ? `${texts.length} changes` : (texts[0] ?? ''),
  }));
  const sides = sidesOf(placed, width);
  return placed.map(({ day, text }, index) => ({
    x: dayName(day),
    color: 'var(--mantine-color-amber-text)',
    strokeDasharray: '3 3',
    // The list below shows what does not fit.
    label: sides[index] === undefined ? '' : text,
    labelPosition: sides[index] === 'left' ? ('insideTopRight' as const) : ('insideTopLeft' as const),
  }));
};

/** Fetches per day, stacked by version, with publishes and label moves marked. Days are those of UTC. */
export const UsageChart = ({ usage, kept }: { usage: Usage; kept: readonly string[] }) => {
  const series = seriesOf(usage, kept);
  const days = usageDays(usage, series);
  // Without a bar, even of height 0, the chart has no scale and draws no marks.
  const drawn = series.length === 0 ? [''] : series;
  const { ref, width } = useElementSize<HTMLDivElement>();
  return (
    <>
      <div aria-hidden="true" ref={ref}>
        <BarChart
          h={HEIGHT}
          type="stacked"
          data={days.map(({ day, counts }) => ({
            day: dayName(day),
            [field(0)]: 0,
            ...Object.fromEntries(counts.map((count, index) => [field(index), count])),
          }))}
          dataKey="day"
          series={drawn.map((label, index) => ({
            name: field(index),
            label,
            color: COLORS[index] ?? 'gray.5',
          }))}
          referenceLines={marksOf(usage, width)}
          withLegend={series.length > 0}
          legendProps={{ verticalAlign: 'bottom' }}
          xAxisProps={{ interval: 'equidistantPreserveStart' }}
          yAxisProps={{
            ...{ width: AXIS_WIDTH, allowDecimals: false, interval: 0 },
            ...(series.length === 0 && { domain: [0, 1] }),
          }}
          barProps={{ isAnimationActive: false }}
          maxBarWidth={28}
          tickLine="none"
          // Screen readers and the keyboard use the table below.
          barChartProps={{ accessibilityLayer: false }}
        />
      </div>
      <VisuallyHidden>
        <DaysTable series={series} days={days} />
      </VisuallyHidden>
    </>
  );
};

/** The same as a table, for screen readers. */
const DaysTable = ({ series, days }: { series: readonly string[]; days: readonly UsageDay[] }) => (
  <Table>
    <caption>Fetches per day (UTC) and version</caption>
    <thead>
      <tr>
        <th scope="col">Day</th>
        {series.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {days.map(({ day, counts }) => (
        <tr key={day}>
          <th scope="row">{day}</th>
          {series.map((name, index) => (
            <td key={name}>{counts[index]}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </Table>
);
