import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { LIMITS } from '../../../../../contract/limits.ts';
import { DaysChart } from '../../../components/charts/days-chart.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { Screen } from '../../../components/layout/screen.tsx';
import { TextLink } from '../../../components/link.tsx';
import { QueryBoundary } from '../../../components/states.tsx';
import { Choice, DayInput, useFilter } from '../../../components/tables/filters.tsx';
import { productionFirst } from '../labels/label-names.ts';
import { MissingPrompt } from '../missing-prompt.tsx';
import { type Prompt, promptQuery, type Usage, usageQuery } from '../prompt-queries.ts';
import { AccessesPanel } from './accesses-panel.tsx';
import { CallersPanel } from './callers-panel.tsx';
import { OTHERS, seriesOf, usageDays, usageWithin } from './usage-days.ts';
import { UsageEvents } from './usage-events.tsx';

const route = getRouteApi('/prompts/$promptId/usage');

const DAYS = ['7', '30', '90'];
const DAY_MS = 86_400_000;
const MOST_DAYS = 90;

/** The number of days to read so that they contain all since a day, or the default. The callers need the last week. */
const daysSince = (from: string | undefined, days: string): number => {
  const since = from === undefined ? Number.NaN : Math.floor((Date.now() - Date.parse(from)) / DAY_MS) + 1;
  return Number.isNaN(since) ? Number(days) : Math.min(MOST_DAYS, Math.max(LIMITS.inUseDays, since));
};

/** Who fetched which version of a prompt, and when. */
export const UsageScreen = () => {
  const { promptId } = route.useParams();
  const { days = '30', from } = route.useSearch();
  const details = useQuery(promptQuery(promptId));
  const usage = useQuery(usageQuery(promptId, daysSince(from, days)));
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
          actions={<Period days={days} isChosen={from === undefined} />}
        >
          <QueryBoundary query={usage}>{(found) => <Parts usage={found} prompt={prompt} />}</QueryBoundary>
        </Screen>
      )}
    </QueryBoundary>
  );
};

const Period = ({ days, isChosen }: { days: string; isChosen: boolean }) => {
  const set = useFilter();
  return (
    <SegmentedControl
      size="xs"
      aria-label="Period"
      value={isChosen ? days : ''}
      onChange={(next) => set({ days: next, from: null, to: null })}
      data={DAYS.map((value) => ({ value, label: `${value} days` }))}
    />
  );
};

const Parts = ({ usage, prompt }: { usage: Usage; prompt: Prompt }) => {
  const { days: _, by, ...filter } = route.useSearch();
  const range = { ...filter, from: filter.from ?? usage.from, to: filter.to ?? usage.to };
  const shown = usageWithin(usage, range);
  const recent = usageWithin(usage, { ...filter, from: usage.from, to: usage.to });
  const total = shown.counts.reduce((sum, { count }) => sum + count, 0);
  const events = usage.events.filter(
    ({ at }) => at.slice(0, 10) >= range.from && at.slice(0, 10) <= range.to,
  );
  const kept = [prompt.latest, ...productionFirst(prompt.labels).map(({ version }) => version)];
  return (
    <Stack gap="md">
      <UsageFilters range={range} usage={usage} />
      <Panel title="Fetches per day" count={total}>
        {total === 0 && (
          <Text c="dimmed" mb="xs">
            Nobody fetched this prompt in this period.
          </Text>
        )}
        <UsageChart usage={{ ...shown, events }} versions={seriesOf(usage, kept)} />
        <UsageEvents events={events} title="Changes in this period" />
      </Panel>
      <CallersPanel promptId={prompt.promptId} filter={filter} counts={recent.counts} />
      <AccessesPanel prompt={prompt} filter={range} usage={shown} isByKey={by === 'key'} />
    </Stack>
  );
};

const COLORS = ['spruce-6', 'amber-4', 'slate-5', 'plum-5', 'brick-5', 'spruce-3', 'amber-7', 'slate-3'];

const FAILING = 'failing calls';

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

/** Fetches per day, stacked by version, and failing calls, with publishes and label moves marked. Days are those of UTC. */
const UsageChart = ({ usage, versions }: UsageChartProps) => {
  const names = [...versions, FAILING];
  const series = names.map((name, index) => ({
    name,
    color: `var(--mantine-color-${name === FAILING ? 'brick-7' : name === OTHERS ? 'gray-5' : (COLORS[index] ?? 'gray-5')})`,
  }));
  const failures = usage.failures.map((failure) => ({ ...failure, version: FAILING }));
  const days = usageDays({ ...usage, counts: [...usage.counts, ...failures] }, names);
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

interface UsageFiltersProps {
  /** The selected days. */
  readonly range: { readonly from: string; readonly to: string };
  readonly usage: Usage;
}

/** Filters both the chart and the access history. */
const UsageFilters = ({ range, usage }: UsageFiltersProps) => {
  const set = useFilter();
  const versions = [...new Set(usage.counts.map(({ version }) => version))];
  const keys = usage.keys.map(({ keyId, name }) => ({ value: keyId, label: `${name} (${keyId})` }));
  return (
    <Group gap="xs" align="flex-end">
      <Choice name="key" label="API key" options={keys} width={210} labelAbove />
      <Choice name="version" label="Version" options={versions} width={120} labelAbove />
      <DayInput label="From (UTC)" value={range.from} onChange={(from) => set({ from })} />
      <DayInput label="To (UTC)" value={range.to} onChange={(to) => set({ to })} />
    </Group>
  );
};
