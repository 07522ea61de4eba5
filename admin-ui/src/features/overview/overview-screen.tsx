import { Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, type LinkProps } from '@tanstack/react-router';
import { overviewGet } from '../../../../contract/endpoints/service.ts';
import { inTurns } from '../../../../contract/limits.ts';
import type { ReplyOf } from '../../api/client.ts';
import { metricsQuery, replyQuery } from '../../api/queries.ts';
import { AuditSubject } from '../../components/audit-subject.tsx';
import { refusalText, verbOf } from '../../components/audit-words.ts';
import {
  Columns,
  FailureRow,
  FirstFew,
  Framed,
  KeyLink,
  Links,
  Muted,
  Panel,
  PromptLink,
  Refreshing,
  ReviewPanel,
  ReviewRow,
  SecretLink,
  Small,
  TextLink,
  When,
} from '../../components/basics.tsx';
import { DaysChart } from '../../components/days-chart.tsx';
import { StoppedMark } from '../../components/environments.tsx';
import { failuresByCause } from '../../components/failures.ts';
import { counted, inDigits } from '../../components/locale.ts';
import { Screen } from '../../components/screen.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { byNeed, QueryBoundary } from '../../components/states.tsx';
import { isDead, refusalsByReason } from './refusals.ts';

type Overview = ReplyOf<typeof overviewGet>;

const failureRows = ({ failingPrompts }: Overview) => {
  const failures = failingPrompts.flatMap(({ promptId, name, failing }) =>
    failing.map((each) => ({ ...each, promptId, name })),
  );
  const byKey = [...Map.groupBy(failures, ({ apiKeyId }) => apiKeyId)].flatMap(([apiKeyId, own]) =>
    failuresByCause(own).map((each) => ({ ...each, apiKeyId, apiKeyName: own[0]?.apiKeyName })),
  );
  // The first of each key, then the second.
  return inTurns(byKey, ({ apiKeyId }) => apiKeyId).map(({ apiKeyId, apiKeyName, ...cause }) => (
    <FailureRow key={`${apiKeyId} ${cause.id}`} by={apiKeyName} {...cause} />
  ));
};

// Applications that are refused may not report it.
const refusalRows = (reasons: ReturnType<typeof refusalsByReason<Overview['refused'][number]>>) =>
  reasons.map(({ reason, calls, keys }) => (
    <ReviewRow
      key={reason}
      link={`Refused: ${refusalText(reason)}`}
      of={
        keys[0] && (
          <>
            from <Links items={keys}>{(key) => <KeyLink {...key} />}</Links>
            {isDead({ reason }) && (
              <>
                . Something still sends it: {reason === 'expired' && 'rotate it, or '}
                <TextLink to="/audit" search={{ kind: 'refusal', actor: keys[0].keyId, period: '7' }}>
                  find out who
                </TextLink>
                .
              </>
            )}
          </>
        )
      }
    >
      {calls > 0 ? `${counted(calls, 'call')} in 24 hours` : 'in 24 hours'}
    </ReviewRow>
  ));

const keyRow = (fate: string, keys: Overview['unusedKeys']) =>
  keys.length > 0 && (
    <ReviewRow
      key={fate}
      link={`${counted(keys.length, 'API key')} ${keys.length === 1 ? fate.replace(/^expire/, 'expires') : fate}`}
      of={<Links items={keys}>{(key) => <KeyLink {...key} />}</Links>}
    />
  );

interface Secrets {
  readonly total: number;
  readonly first: Overview['unreadSecrets']['first'];
}

const secretRow = (
  fate: string,
  { total, first }: Secrets,
  search: { readonly rotate?: 'soon' | 'unfinished'; readonly read?: 'no' },
) =>
  total > 0 && (
    <ReviewRow
      key={fate}
      link={
        <TextLink to="/secrets" search={search}>
          {counted(total, 'secret')} {fate}
        </TextLink>
      }
      of={
        <Links items={first} total={total}>
          {(secret) => <SecretLink secret={secret} />}
        </Links>
      }
    />
  );

/** What needs somebody, by cause; nothing if nothing does. */
const Attention = (overview: Overview) => {
  const { data, isError } = useQuery(metricsQuery);
  const { refused, expiringKeys, unusedKeys } = overview;
  const [dead, others] = [true, false].map((isFirst) =>
    refusalRows(refusalsByReason(refused, data?.refused).filter((each) => isDead(each) === isFirst)),
  );
  const rows = [
    ...failureRows(overview),
    dead,
    keyRow('expire within 14 days', expiringKeys),
    secretRow('to rotate within 14 days', overview.secretsToRotate, { rotate: 'soon' }),
    secretRow('with an old credential to disable', overview.unfinishedRotations, { rotate: 'unfinished' }),
    others,
    keyRow('not used for 30 days', unusedKeys),
    secretRow('not read for 30 days', overview.unreadSecrets, { read: 'no' }),
  ]
    .flat()
    .filter(Boolean);
  if (rows.length === 0 && !isError) return null;
  return (
    <Panel title="Needs attention">
      <FirstFew className="cv-list cv-rows">{rows}</FirstFew>
      {isError && <Small>The number of refused calls could not be read.</Small>}
    </Panel>
  );
};

const route = getRouteApi('/');

// Shown only in the beginning.
const FirstSteps = byNeed(() => import('./first-steps.tsx'));
const SamplesPanel = byNeed(() => import('./samples-panel.tsx'));

const DAYS = ['7', '14', '30'] as const;

/** The overview, the first screen after sign-in. */
export const OverviewScreen = () => {
  const { days = '30' } = route.useSearch();
  const navigate = route.useNavigate();
  const overview = useQuery({
    ...replyQuery(['overview', days], overviewGet, { query: { days } }),
    placeholderData: keepPreviousData<Overview>,
  });
  return (
    <Screen
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
    <Stack>
      {!overview.isInUse && <FirstSteps totals={totals} />}
      <Totals {...overview} />
      <Panel title="Fetches per day" count={total}>
        {total === 0 && (
          <Muted mb="xs">
            Nothing was fetched in this period. Fetches appear here as soon as an application calls.
          </Muted>
        )}
        <DaysChart
          title="Fetches per day (UTC)"
          series={SERIES}
          days={fetches.map(({ day, prompts, secrets }) => ({ day, counts: [prompts, secrets] }))}
        />
      </Panel>
      <Attention {...overview} />
      <Columns>
        <MostFetched {...overview} />
        <LastChanges {...overview} />
      </Columns>
      {totals.samples > 0 && <SamplesPanel samples={totals.samples} />}
    </Stack>
  );
};

/** How much there is, and how much of it was fetched. Each figure leads to what it counts. */
const Totals = ({ totals, fetches }: Overview) => {
  const { prompts, secrets } = fetches.at(-1) ?? { prompts: 0, secrets: 0 };
  const today = 'today (UTC)';
  return (
    <Framed p="0.7rem 0.9rem">
      <SimpleGrid minColWidth="8.5rem" autoFlow="auto-fit" spacing="0.75rem">
        <Total value={totals.prompts} one="prompt" to="/prompts" />
        <Total value={totals.secrets} one="secret" to="/secrets" />
        <Total value={totals.keys} one="active API key" to="/api-keys" search={{ status: 'active' }} />
        <Total
          {...{ value: prompts, one: `prompt fetch ${today}`, many: `prompt fetches ${today}` }}
          to="/prompts"
          search={{ fetched: 'yes', sort: 'fetched', order: 'desc' }}
        />
        <Total
          {...{ value: secrets, one: `read of secrets ${today}`, many: `reads of secrets ${today}` }}
          to="/audit"
          search={{ kind: 'read', period: 'today' }}
        />
      </SimpleGrid>
    </Framed>
  );
};

type TotalProps = LinkProps & { readonly value: number; readonly one: string; readonly many?: string };

const FIGURES = { fontVariantNumeric: 'tabular-nums' };

const Total = ({ value, one, many = `${one}s`, ...link }: TotalProps) => (
  <TextLink {...link} c="inherit">
    <Text display="block" ff="heading" fz="1.5rem" fw={600} lh={1.2} style={FIGURES} span>
      {inDigits(value)}
    </Text>{' '}
    <Muted span>{value === 1 ? one : many}</Muted>
  </TextLink>
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
          <Group component="span" gap="0.5rem" wrap="nowrap" align="baseline">
            <Sparkline values={perDay} most={Math.max(...perDay)} label={trendOf(perDay)} />
            <TextLink
              to="/prompts/$promptId/usage"
              params={{ promptId }}
              search={{ days: String(fetches.length) as '7' | '14' | '30' }}
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
        <TextLink to="/prompts/live" search={{ since: 'week' }}>
          What went live
        </TextLink>
        <TextLink to="/audit" search={{ kind: 'change' }}>
          All changes
        </TextLink>
      </>
    }
  >
    {changes.map((change) => (
      <ReviewRow
        key={JSON.stringify(change)}
        link={
          <Group component="span" gap="0 0.35rem">
            {verbOf(change)} <AuditSubject {...change} />
          </Group>
        }
      >
        {change.actor}, <When at={change.at} short />
      </ReviewRow>
    ))}
  </ReviewPanel>
);
