import { Badge, Box, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { accessesList } from '../../../../../contract/endpoints/usage.ts';
import { readAll } from '../../../api/queries.ts';
import { Panel, PromptLink, Refreshing, Small, TextLink, When } from '../../../components/basics.tsx';
import { DaysChart } from '../../../components/days-chart.tsx';
import { DAY_MS, inDigits } from '../../../components/locale.ts';
import { Screen } from '../../../components/screen.tsx';
import { QueryBoundary } from '../../../components/states.tsx';
import { CsvButton } from '../../../components/tables/csv-button.tsx';
import { type Column, DataTable, ListTable, pagesOf } from '../../../components/tables/data-table.tsx';
import { Choice, DayInput, useFilter } from '../../../components/tables/filters.tsx';
import { beforePrompt } from '../deleted-prompts.tsx';
import { LabelBadge } from '../labels/label-badge.tsx';
import { productionFirst } from '../labels/label-names.ts';
import { type Access, type AccessFilter, accessesQuery, type Usage, usageQuery } from '../prompt-queries.ts';
import {
  type Counted,
  OTHERS,
  RESULTS,
  resultsOf,
  seriesOf,
  usageByKey,
  usageDays,
  usageWithin,
} from './usage-days.ts';
import { sentenceOf, UsageEvents } from './usage-events.tsx';

interface AccessesPanelProps {
  promptId: string;
  name: string;
  filter: AccessFilter;
}

/** The access history: each fetch with key, version, source and metadata. It is read once it comes into view. */
const AccessesPanel = ({ promptId, name, filter }: AccessesPanelProps) => {
  const { ref, entry } = useIntersection({ rootMargin: '100px' });
  const enabled = entry?.isIntersecting === true;
  const list = useInfiniteQuery({ ...accessesQuery(promptId, filter), enabled });
  const rows = pagesOf(list).flatMap(({ accesses }) => accesses);
  return (
    <div ref={ref}>
      <Panel
        title="Access history"
        actions={
          <CsvButton
            fileName={`${name} accesses.csv`}
            columns={CSV_COLUMNS}
            read={(onCount, signal) => {
              const input = { params: { promptId }, query: filter, signal };
              return readAll(accessesList, input, ({ accesses }) => accesses.map(csvRow), onCount);
            }}
          />
        }
      >
        <ListTable
          label="Access history"
          columns={ACCESS_COLUMNS}
          rows={rows}
          rowKey={({ requestId, time }) => time + requestId}
          list={list}
          empty={<Text c="dimmed">No matching fetches.</Text>}
        />
      </Panel>
    </div>
  );
};

const metadataOf = ({ metaProperties }: Access): string =>
  Object.keys(metaProperties).length === 0 ? '' : JSON.stringify(metaProperties);

const CSV_COLUMNS =
  'time version label apiKeyId apiKeyName sourceIp userAgent compiled metaProperties requestId'.split(' ');

const csvRow = (access: Access) => ({ ...access, metaProperties: metadataOf(access) });

const ACCESS_COLUMNS: readonly Column<Access>[] = [
  { title: 'Time', width: '11rem', visibleFrom: 'sm', cell: ({ time }) => <When at={time} /> },
  {
    title: 'Version',
    cell: ({ version, label, time }) => (
      <>
        <span className="cv-mono">{version}</span> {label && <LabelBadge label={label} />}
        <Small hiddenFrom="sm" component="div">
          <When at={time} />
        </Small>
      </>
    ),
  },
  {
    title: 'API key',
    cell: ({ apiKeyId, apiKeyName }) => (
      <>
        <span className="cv-break">{apiKeyName}</span>
        <Small className="cv-mono">{apiKeyId}</Small>
      </>
    ),
  },
  {
    title: 'Source',
    visibleFrom: 'sm',
    cell: ({ sourceIp, userAgent }) => (
      <>
        <span className="cv-mono">{sourceIp}</span>
        <Small lineClamp={1} title={userAgent}>
          {userAgent}
        </Small>
      </>
    ),
  },
  {
    title: 'Compiled',
    width: '8rem',
    visibleFrom: 'lg',
    cell: ({ compiled, missing }) => (missing ? `without ${missing.join(', ')}` : compiled ? 'yes' : 'no'),
  },
  {
    title: 'Metadata',
    visibleFrom: 'md',
    cell: (access) => (
      <Text size="xs" className="cv-mono cv-break" lineClamp={2} title={metadataOf(access)}>
        {metadataOf(access)}
      </Text>
    ),
  },
];

const route = getRouteApi('/prompts/$promptId/usage');

const DAYS = ['7', '30', '90'];
const MOST_DAYS = 90;

/** The number of days to read so that they contain all since a day, or the default. */
const daysSince = (from: string | undefined, days: string): number => {
  const since = from === undefined ? Number.NaN : Math.floor((Date.now() - Date.parse(from)) / DAY_MS) + 1;
  return Number.isNaN(since) ? Number(days) : Math.min(MOST_DAYS, Math.max(1, since));
};

/** Who fetched which version of a prompt, and when. */
export const UsageScreen = () => {
  const { promptId } = route.useParams();
  const { days = '30', from } = route.useSearch();
  const set = useFilter();
  const usage = useQuery({
    ...usageQuery(promptId, daysSince(from, days)),
    placeholderData: keepPreviousData<Usage>,
  });
  return (
    <QueryBoundary query={usage} {...beforePrompt(promptId)}>
      {(found) => (
        <Screen
          above={<PromptLink promptId={promptId} name={found.name} />}
          actions={
            <SegmentedControl
              aria-label="Period"
              value={from === undefined ? days : ''}
              onChange={(next) => set({ days: next, from: null, to: null })}
              data={DAYS.map((value) => ({ value, label: `${value} days` }))}
            />
          }
        >
          <Refreshing when={usage.isPlaceholderData}>
            <Parts usage={found} promptId={promptId} />
          </Refreshing>
        </Screen>
      )}
    </QueryBoundary>
  );
};

const Parts = ({ usage, promptId }: { usage: Usage; promptId: string }) => {
  const { days: _, by, ...filter } = route.useSearch();
  const set = useFilter();
  const range = { ...filter, from: filter.from ?? usage.from, to: filter.to ?? usage.to };
  const shown = usageWithin(usage, range);
  // As many as the chart draws.
  const total = (by ? shown.counts : resultsOf(shown)).reduce((sum, { count }) => sum + count, 0);
  const versions = [...new Set(usage.counts.map(({ version }) => version))];
  const keys = usage.keys.map(({ keyId, name }) => ({ value: keyId, label: `${name} (${keyId})` }));
  const rows = usageByKey(shown);
  const kept = [usage.latest, ...productionFirst(usage.labels).map(({ version }) => version)];
  return (
    <Stack>
      <Group align="flex-end">
        <Choice name="key" label="API key" options={keys} width={210} labelAbove placeholder="All" />
        <Choice name="version" label="Version" options={versions} width={120} labelAbove placeholder="All" />
        <DayInput label="From (UTC)" value={range.from} onChange={(next) => set({ from: next })} />
        <DayInput label="To (UTC)" value={range.to} onChange={(next) => set({ to: next })} />
      </Group>
      <Panel
        title={`${by ? 'Fetches' : 'Calls'} per day`}
        count={total}
        actions={
          <SegmentedControl
            aria-label="What the colors stand for"
            value={by ?? ''}
            onChange={(next) => set({ by: next }, { resetScroll: false })}
            data={[
              { value: '', label: 'By result' },
              { value: 'version', label: 'By version' },
              { value: 'key', label: 'By API key' },
            ]}
          />
        }
      >
        {total === 0 && (
          <Text c="dimmed" mb="xs">
            Nobody called for this prompt in this period.
          </Text>
        )}
        <UsageChart all={usage} shown={shown} by={by} kept={kept} />
        {rows.length > 0 && (
          <Box mt="md">
            <DataTable
              label="Calls by API key"
              columns={KEY_COLUMNS}
              rows={rows}
              rowKey={({ keyId }) => keyId}
            />
          </Box>
        )}
        {shown.events.length > 0 && (
          <Text fw={600} mt="sm">
            Changes in this period
          </Text>
        )}
        <UsageEvents events={shown.events} />
      </Panel>
      <AccessesPanel promptId={promptId} name={usage.name} filter={range} />
    </Stack>
  );
};

const COLORS = ['spruce-6', 'amber-4', 'slate-5', 'plum-5', 'brick-5', 'spruce-3', 'amber-7', 'slate-3'];
const RESULT_COLORS = ['spruce-6', 'amber-4', 'brick-7'];

/** The days on which the prompt changed, each with what changed. */
const marksOf = ({ events }: Pick<Usage, 'events'>) =>
  [...Map.groupBy(events, ({ at }) => at.slice(0, 10))].map(([day, some]) => ({
    day,
    text: some.map(sentenceOf).reverse().join('\n'),
  }));

const TITLES = { result: 'result', version: 'version', key: 'API key' };

interface UsageChartProps {
  /** All that was read, so that a filter changes no color. */
  all: Usage;
  shown: Usage;
  by: 'version' | 'key' | undefined;
  /** The versions that have a color of their own, most important first. */
  kept: readonly string[];
}

/** Calls per day, stacked by what came of them, or fetches by version or API key, with changes marked. Days are those of UTC. */
const UsageChart = ({ all, shown, by, kept }: UsageChartProps) => {
  const names = new Map(all.keys.map(({ keyId, name }) => [keyId, `${name} (${keyId})`]));
  const counted = (usage: Usage): Counted[] => {
    if (by === undefined) return resultsOf(usage);
    const nameOf = ({ version, apiKeyId }: Usage['counts'][number]) =>
      by === 'version' ? version : (names.get(apiKeyId) ?? apiKeyId);
    return usage.counts.map((one) => ({ ...one, name: nameOf(one) }));
  };
  const rows = counted(shown);
  const series = by ? seriesOf(counted(all), by === 'version' ? kept : undefined) : RESULTS;
  const colors = by ? COLORS : RESULT_COLORS;
  const isOther = (name: string) => name === OTHERS && rows.some((row) => !series.includes(row.name));
  const drawn = series.filter((name) => isOther(name) || rows.some((row) => row.name === name));
  return (
    <DaysChart
      title={`${by ? 'Fetches' : 'Calls'} per day (UTC) and ${TITLES[by ?? 'result']}`}
      series={drawn.map((name) => ({
        name,
        color: `var(--mantine-color-${colors[series.indexOf(name)] ?? 'gray-5'})`,
      }))}
      days={usageDays(shown, rows, drawn)}
      marks={marksOf(shown)}
    />
  );
};

const KEY_COLUMNS: readonly Column<ReturnType<typeof usageByKey>[number]>[] = [
  {
    title: 'API key',
    cell: ({ keyId, name }) => (
      <>
        <TextLink
          from="/prompts/$promptId/usage"
          to="."
          search={(search) => ({ ...search, key: keyId })}
          resetScroll={false}
        >
          {name || 'unknown'}
        </TextLink>
        <Small className="cv-mono">{keyId}</Small>
      </>
    ),
  },
  {
    title: 'Versions',
    visibleFrom: 'xs',
    cell: ({ versions }) => <span className="cv-mono cv-break">{versions.join(', ')}</span>,
  },
  { title: 'Fetches', width: '5.5rem', cell: ({ fetches }) => inDigits(fetches) },
  {
    title: 'Last fetch',
    width: '9rem',
    visibleFrom: 'xs',
    cell: ({ lastAt }) => lastAt && <When at={lastAt} short />,
  },
  {
    title: 'With gaps',
    width: '5.5rem',
    visibleFrom: 'xs',
    below: 'with gaps',
    cell: ({ gaps }) => gaps > 0 && <Badge color="amber">{inDigits(gaps)}</Badge>,
  },
  {
    title: 'Failed',
    width: '5.5rem',
    visibleFrom: 'xs',
    below: 'failed',
    cell: ({ failed }) => failed > 0 && <Badge color="brick">{inDigits(failed)}</Badge>,
  },
];
