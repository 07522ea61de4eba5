import { DaysChart } from '../../../components/charts/days-chart.tsx';
import type { Usage } from '../prompt-queries.ts';
import { OTHERS, usageDays } from './usage-days.ts';

const COLORS = ['spruce-6', 'amber-4', 'slate-5', 'plum-5', 'brick-5', 'spruce-3', 'amber-7', 'slate-3'];

/** The days on which the prompt changed, each with what changed. */
const marksOf = ({ events }: Pick<Usage, 'events'>) => {
  const changes = events.flatMap(({ at, type, version, label, to }) => {
    const day = at.slice(0, 10);
    if (type === 'published' || type === 'prompt-created') return [{ day, text: version ?? '' }];
    return type === 'label-set' ? [{ day, text: `${label} → ${to}` }] : [];
  });
  return [...Map.groupBy(changes, ({ day }) => day)].toSorted().map(([day, some]) => ({
    day,
    text: some.length > 1 ? `${some.length} changes` : (some[0]?.text ?? ''),
  }));
};

interface UsageChartProps {
  readonly usage: Usage;
  /** The versions with a color of their own, whatever the filter is. */
  readonly versions: readonly string[];
}

/** Fetches per day, stacked by version, with publishes and label moves marked. Days are those of UTC. */
export const UsageChart = ({ usage, versions }: UsageChartProps) => {
  const series = versions.map((name, index) => ({
    name,
    color: `var(--mantine-color-${name === OTHERS ? 'gray-5' : (COLORS[index] ?? 'gray-5')})`,
  }));
  const days = usageDays(usage, versions);
  const isFetched = (index: number) => days.some(({ counts }) => (counts[index] ?? 0) > 0);
  const shown = series.filter((_, index) => isFetched(index));
  return (
    <DaysChart
      title="Fetches per day (UTC) and version"
      series={shown}
      days={days.map(({ day, counts }) => ({ day, counts: counts.filter((_, index) => isFetched(index)) }))}
      marks={marksOf(usage)}
    />
  );
};
