import { Group, type PaperProps, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLink, getRouteApi, type LinkProps } from '@tanstack/react-router';
import { AuditSubject } from '../../components/audit/audit-subject.tsx';
import { verbOf } from '../../components/audit/audit-words.ts';
import { byNeed } from '../../components/by-need.tsx';
import { DaysChart } from '../../components/charts/days-chart.tsx';
import { Sparkline } from '../../components/charts/sparkline.tsx';
import { counted } from '../../components/count.ts';
import { StoppedMark } from '../../components/environments.tsx';
import { Framed, Panel } from '../../components/layout/panel.tsx';
import { Refreshing } from '../../components/layout/refreshing.tsx';
import { PromptLink, ReviewPanel, ReviewRow } from '../../components/layout/review-panel.tsx';
import { Screen } from '../../components/layout/screen.tsx';
import { type Native, TextLink } from '../../components/link.tsx';
import { inDigits } from '../../components/locale.ts';
import { Small } from '../../components/small.tsx';
import { QueryBoundary } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { Attention } from './attention.tsx';
import classes from './overview.module.css';
import { type Overview, overviewQuery } from './overview-queries.ts';

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
        <SegmentedControl<(typeof DAYS)[number]>
          aria-label="Period"
          value={days}
          onChange={(next) => void navigate({ replace: true, search: { days: next } })}
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

const SERIES = [
  { name: 'Prompts', color: 'var(--mantine-color-spruce-6)' },
  { name: 'Secrets', color: 'var(--mantine-color-amber-4)' },
];

const Parts = ({ overview }: { overview: Overview }) => {
  const { totals, fetches } = overview;
  const total = fetches.reduce((sum, { prompts, secrets }) => sum + prompts + secrets, 0);
  return (
    <Stack gap="md">
      {!overview.isInUse && <FirstSteps totals={totals} />}
      <Totals {...overview} />
      <Panel title="Fetches per day" count={total}>
        {total === 0 && (
          <Text c="dimmed" mb="xs">
            Nothing was fetched in this period. Fetches appear here as soon as an application calls.
          </Text>
        )}
        <DaysChart
          title="Fetches per day (UTC)"
          series={SERIES}
          days={fetches.map(({ day, prompts, secrets }) => ({ day, counts: [prompts, secrets] }))}
        />
      </Panel>
      <Attention {...overview} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
        <MostFetched {...overview} />
        <LastChanges {...overview} />
      </SimpleGrid>
      {totals.samples > 0 && <SamplesPanel samples={totals.samples} />}
    </Stack>
  );
};

const FETCHED_LAST = { fetched: 'yes', sort: 'fetched', order: 'desc' } as const;

/** How much there is, and how much of it was fetched. Each figure leads to what it counts. */
const Totals = ({ totals, fetches }: Overview) => {
  const { prompts, secrets } = fetches.at(-1) ?? { prompts: 0, secrets: 0 };
  const today = 'today (UTC)';
  return (
    <SimpleGrid minColWidth="8.5rem" autoFlow="auto-fit" spacing="0.75rem">
      <Total value={totals.prompts} one="prompt" to="/prompts" />
      <Total value={totals.secrets} one="secret" to="/secrets" />
      <Total value={totals.keys} one="active API key" to="/api-keys" search={{ status: 'active' }} />
      <Total
        {...{ value: prompts, one: `prompt fetch ${today}`, many: `prompt fetches ${today}` }}
        to="/prompts"
        search={FETCHED_LAST}
      />
      <Total
        {...{ value: secrets, one: `read of secrets ${today}`, many: `reads of secrets ${today}` }}
        to="/audit"
        search={{ kind: 'read', period: 'today' }}
      />
    </SimpleGrid>
  );
};

type TotalProps = LinkProps & { readonly value: number; readonly one: string; readonly many?: string };

const FrameLink = createLink((props: PaperProps & Native<PaperProps>) => <Framed component="a" {...props} />);

const FIGURES = { fontVariantNumeric: 'tabular-nums' };

const Total = ({ value, one, many = `${one}s`, ...link }: TotalProps) => (
  <FrameLink {...link} p="0.7rem 0.9rem" className={classes.total ?? ''}>
    <Text display="block" ff="heading" fz="1.5rem" fw={600} lh={1.2} style={FIGURES} span>
      {inDigits(value)}
    </Text>{' '}
    <Text span c="dimmed">
      {value === 1 ? one : many}
    </Text>
  </FrameLink>
);

/** The most fetched prompts, each with its days, which show the trend. */
const MostFetched = ({ topPrompts, fetches }: Overview) => (
  <Panel
    title="Most fetched prompts"
    nothing={topPrompts.length === 0 && 'No prompt was fetched in this period.'}
  >
    <ol className="cv-list cv-rows">
      {topPrompts.map(({ promptId, name, fetches: sum, perDay }) => (
        <ReviewRow key={promptId} link={<PromptLink {...{ promptId, name }} />}>
          <Group component="span" gap="0.5rem" wrap="nowrap">
            <Sparkline values={perDay} most={Math.max(...perDay)} label={trendOf(perDay)} />
            <TextLink
              to="/prompts/$promptId/usage"
              params={{ promptId }}
              search={{ from: fetches[0]?.day ?? '' }}
              size="sm"
              aria-label={`${counted(sum, 'fetch', 'fetches')} of ${name}`}
              display="inline-block"
              miw="3rem"
              style={FIGURES}
            >
              {inDigits(sum)}
            </TextLink>
          </Group>
        </ReviewRow>
      ))}
    </ol>
  </Panel>
);

/** The trend in words. */
const trendOf = (perDay: readonly number[]): string => {
  const half = Math.ceil(perDay.length / 2);
  const [before, since] = [perDay.slice(0, -half), perDay.slice(-half)].map((days) =>
    inDigits(days.reduce((sum, each) => sum + each, 0)),
  );
  return `${since} in the last ${counted(half, 'day')}, ${before} before`;
};

const LastChanges = ({ changes }: Overview) => (
  <ReviewPanel
    title="Last changes"
    nothing={changes.length === 0 && 'No changes yet.'}
    actions={
      <>
        <TextLink to="/prompts/live" size="xs">
          What went live
        </TextLink>
        <TextLink to="/audit" search={{ kind: 'change' }} size="xs">
          All changes
        </TextLink>
      </>
    }
  >
    {changes.map((change) => (
      <Text component="li" key={JSON.stringify(change)} py="0.36rem" className="cv-break">
        <Small span display="block">
          <When at={change.at} short /> · {change.actor}
        </Small>
        <Group component="span" gap="0 0.35rem">
          <span>{verbOf(change)}</span>
          <AuditSubject {...change} />
        </Group>
      </Text>
    ))}
  </ReviewPanel>
);
