import { Badge, Box, SegmentedControl, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { accessesList } from '../../../../../contract/endpoints/usage.ts';
import { readAll } from '../../../api/queries.ts';
import {
  KeyLink,
  Muted,
  Panel,
  PromptLink,
  Refreshing,
  Small,
  TextLink,
  When,
} from '../../../components/basics.tsx';
import { DaysChart } from '../../../components/days-chart.tsx';
import { inDigits } from '../../../components/locale.ts';
import { Screen } from '../../../components/screen.tsx';
import { QueryBoundary } from '../../../components/states.tsx';
import { CsvButton } from '../../../components/tables/csv-button.tsx';
import { type Column, DataTable, ListTable, pagesOf } from '../../../components/tables/data-table.tsx';
import { Choice, useFilter } from '../../../components/tables/filters.tsx';
import { Views } from '../../../components/views.tsx';
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
  usageOf,
} from './usage-days.ts';
import { sentenceOf, UsageEvents } from './usage-events.tsx';

interface AccessesProps {
  promptId: string;
  name: string;
  filter: AccessFilter;
}

/** The access history: each fetch with key, version, source and metadata. */
const Accesses = ({ promptId, name, filter }: AccessesProps) => {
  const list = useInfiniteQuery(accessesQuery(promptId, filter));
  return (
    <Stack align="flex-end" gap="xs">
      <CsvButton
        fileName={`${name} accesses.csv`}
        columns={CSV_COLUMNS}
        read={(onCount, signal) => {
          const input = { params: { promptId }, query: filter, signal };
          return readAll(accessesList, input, ({ accesses }) => accesses.map(csvRow), onCount);
        }}
      />
      <Box w="100%">
        <ListTable
          label="Access history"
          columns={ACCESS_COLUMNS}
          rows={pagesOf(list).flatMap(({ accesses }) => accesses)}
          rowKey={({ requestId, time }) => time + requestId}
          list={list}
          empty={<Muted>No matching fetches.</Muted>}
        />
      </Box>
    </Stack>
  );
};

const metadataOf = ({ metaProperties }: Access): string =>
  Object.keys(metaProperties).length === 0 ? '' : JSON.stringify(metaProperties);

const CSV_COLUMNS =
  'time version label apiKeyId apiKeyName sourceIp userAgent compiled metaProperties requestId'.split(' ');

const csvRow = (access: Access) => ({ ...access, metaProperties: metadataOf(access) });

const ACCESS_COLUMNS: readonly Column<Access>[] = [
  {
    title: 'Version',
    cell: ({ version, label }) => (
      <>
        <span className="cv-mono">{version}</span> {label && <LabelBadge label={label} />}
      </>
    ),
  },
  {
    title: 'Time',
    width: '11rem',
    below: true,
    cell: ({ time }) => <When at={time} />,
  },
  {
    title: 'API key',
    visibleFrom: 'xs',
    below: true,
    cell: ({ apiKeyId, apiKeyName }) => <KeyLink keyId={apiKeyId} name={apiKeyName} />,
  },
  {
    title: 'Source',
    visibleFrom: 'sm',
    cell: ({ sourceIp, userAgent }) => (
      <Text inherit lineClamp={1} title={userAgent}>
        <span className="cv-mono">{sourceIp}</span> {userAgent}
      </Text>
    ),
  },
  {
    title: 'Compiled',
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

const DAYS = [
  { value: '1', label: 'Today' },
  ...['7', '14', '30', '90'].map((value) => ({ value, label: `${value} days` })),
];

/** Who fetched which version of a prompt, and when. */
export const UsageScreen = () => {
  const { promptId } = route.useParams();
  const { days = '30' } = route.useSearch();
  const usage = useQuery({
    ...usageQuery(promptId, Number(days)),
    placeholderData: keepPreviousData<Usage>,
  });
  return (
    <QueryBoundary query={usage} {...beforePrompt(promptId)}>
      {(found) => (
        <Screen
          above={<PromptLink promptId={promptId} name={found.name} />}
          actions={
            <>
              <Choice
                name="key"
                label="API key"
                options={found.keys.map(({ keyId, name }) => ({
                  value: keyId,
                  label: `${name} (${keyId})`,
                }))}
              />
              <Choice
                name="version"
                label="Version"
                width={120}
                options={[...new Set(found.counts.map(({ version }) => version))]}
              />
              <Choice
                name="days"
                label="Period (UTC)"
                width={110}
                clearable={false}
                options={DAYS}
                value={days}
              />
            </>
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
  const { by, tab = 'history', key, version } = route.useSearch();
  const set = useFilter();
  const filter = { key, version };
  const shown = usageOf(usage, filter);
  // As many as the chart draws.
  const total = (by ? shown.counts : resultsOf(shown)).reduce((sum, { count }) => sum + count, 0);
  return (
    <Stack>
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
            ]}
          />
        }
      >
        {total === 0 && <Muted mb="xs">Nobody called for this prompt in this period.</Muted>}
        <UsageChart all={usage} shown={shown} isByVersion={by !== undefined} />
      </Panel>
      <Views
        value={tab}
        onChange={(next) => set({ tab: next }, { resetScroll: false })}
        of={{
          history: [
            'Access history',
            () => (
              <Accesses
                promptId={promptId}
                name={usage.name}
                filter={{ ...filter, from: usage.from, to: usage.to }}
              />
            ),
          ],
          keys: [
            'API keys',
            () => (
              <DataTable
                label="Calls by API key"
                columns={KEY_COLUMNS}
                rows={usageByKey(shown)}
                rowKey="keyId"
              />
            ),
          ],
          changes: ['Changes', () => <UsageEvents events={shown.events} />],
        }}
      />
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

interface UsageChartProps {
  /** All that was read, so that a filter changes no color. */
  all: Usage;
  shown: Usage;
  isByVersion: boolean;
}

/** Calls per day, stacked by what came of them, or fetches by version, with changes marked. Days are those of UTC. */
const UsageChart = ({ all, shown, isByVersion }: UsageChartProps) => {
  const counted = (usage: Usage): Counted[] =>
    isByVersion ? usage.counts.map((one) => ({ ...one, name: one.version })) : resultsOf(usage);
  const rows = counted(shown);
  const kept = [all.latest, ...productionFirst(all.labels).map(({ version }) => version)];
  const series = isByVersion ? seriesOf(counted(all), kept) : RESULTS;
  const colors = isByVersion ? COLORS : RESULT_COLORS;
  const isOther = (name: string) => name === OTHERS && rows.some((row) => !series.includes(row.name));
  const drawn = series.filter((name) => isOther(name) || rows.some((row) => row.name === name));
  return (
    <DaysChart
      title={isByVersion ? 'Fetches per day (UTC) and version' : 'Calls per day (UTC) and result'}
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
