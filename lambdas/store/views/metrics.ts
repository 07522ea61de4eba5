import {
  CloudWatchClient,
  type CloudWatchClientConfig,
  type GetMetricDataCommandInput,
  type MetricDataQuery,
  paginateGetMetricData,
} from '@aws-sdk/client-cloudwatch';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { METRICS, REFUSALS, REFUSED_CALLS, type RefusalReason } from '../../../contract/http/errors.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../core/days.ts';
import { CuevaultError } from '../../core/errors.ts';
import { lastDays } from '../../core/lists/day-ranges.ts';
import { CLIENT_OPTIONS } from '../connect.ts';
import { mapAwsErrors } from '../failures.ts';

const WEBHOOK_DAYS = 7;

/** What a metric counted in the hour that begins at a time. */
interface HourlySum {
  readonly at: Date;
  readonly sum: number;
}

/** By the reason of refused calls, or by the name of a count of the webhook. */
type HourlySums = ReadonlyMap<string, readonly HourlySum[]>;

/** The metrics of EventBridge on the rule of the webhook, by what they are called here. */
const WEBHOOK_METRICS = {
  attempts: 'InvocationAttempts',
  invocations: 'Invocations',
  failed: 'FailedInvocations',
} as const;

const REASONS = Object.keys(REFUSALS) as RefusalReason[];

const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);

const sumOf = (sums: readonly HourlySum[] = [], isCounted: (at: Date) => boolean) =>
  sums.filter(({ at }) => isCounted(at)).reduce((total, { sum }) => total + sum, 0);

/** The calls refused in the last 24 hours, from the hour in which these begin, by reason, most first. */
const refusedCalls = (sums: HourlySums, now: Date) => {
  const from = hourOf(new Date(now.getTime() - DAY_MS));
  return REASONS.map((reason) => ({ reason, calls: sumOf(sums.get(reason), (at) => at >= from) }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.calls - a.calls);
};

/** What EventBridge did with the events for the webhook on each of the last days, oldest first. */
const webhookDays = (sums: HourlySums, now: Date) =>
  lastDays(WEBHOOK_DAYS, now).map((day) => {
    const onDay = (name: keyof typeof WEBHOOK_METRICS) => sumOf(sums.get(name), (at) => dayOf(at) === day);
    return { day, attempts: onDay('attempts'), invocations: onDay('invocations'), failed: onDay('failed') };
  });

const queryOf = (
  Id: string,
  Namespace: string,
  MetricName: string,
  dimensions: Readonly<Record<string, string | undefined>>,
): MetricDataQuery => {
  const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
  const Metric = { Namespace, MetricName, Dimensions };
  return { Id, MetricStat: { Metric, Period: HOUR_MS / 1_000, Stat: 'Sum' } };
};

const ofStage = (Stage: string | undefined): MetricDataQuery[] =>
  REASONS.map((Reason) => queryOf(Reason, METRICS, REFUSED_CALLS, { Stage, Reason }));

const ofRule = (rule: string): MetricDataQuery[] => {
  const [EventBusName, RuleName] = rule.split('|');
  return Object.entries(WEBHOOK_METRICS).map(([id, name]) =>
    queryOf(id, 'AWS/Events', name, { EventBusName, RuleName }),
  );
};

const read = async (client: CloudWatchClient, input: GetMetricDataCommandInput): Promise<HourlySums> => {
  const sums = new Map<string, HourlySum[]>();
  for await (const { MetricDataResults = [] } of paginateGetMetricData({ client }, input))
    for (const { Id = '', StatusCode, Timestamps = [], Values = [] } of MetricDataResults) {
      if (StatusCode === 'InternalError') throw new CuevaultError('unavailable', `No values of ${Id}.`);
      sums.set(Id, [...(sums.get(Id) ?? []), ...Timestamps.map((at, i) => ({ at, sum: Values[i] ?? 0 }))]);
    }
  return sums;
};

/** Connects to the metrics of the deployment that the environment names. */
export const connectMetrics = (
  environment: NodeJS.ProcessEnv = process.env,
  options: CloudWatchClientConfig = {},
) => {
  const client = new CloudWatchClient({ ...CLIENT_OPTIONS, ...options });
  const rule = environment[ENVIRONMENT.webhookRule];
  const MetricDataQueries = [
    ...ofStage(environment[ENVIRONMENT.stage]),
    ...(rule === undefined ? [] : ofRule(rule)),
  ];
  return async (now: Date) => {
    const [StartTime = now] = lastDays(WEBHOOK_DAYS, now).map((day) => new Date(day));
    const EndTime = new Date(hourOf(now).getTime() + HOUR_MS);
    const sums = await mapAwsErrors(read(client, { MetricDataQueries, StartTime, EndTime }));
    return { refused: refusedCalls(sums, now), webhook: rule === undefined ? null : webhookDays(sums, now) };
  };
};
