import type { MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import { parsedJson } from '../request-body.ts';
import { awsReply, unsupported } from './reply.ts';

/** A line in CloudWatch's embedded format. */
interface Line {
  readonly [field: string]: unknown;
  readonly _aws: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: readonly [
      {
        readonly Namespace: string;
        readonly Dimensions: readonly [readonly string[]];
        readonly Metrics: readonly [{ readonly Name: string }];
      },
    ];
  };
}

/** Times are seconds since the epoch. */
interface Input {
  readonly MetricDataQueries: readonly MetricDataQuery[];
  readonly StartTime: number;
  readonly EndTime: number;
}

const HOUR_SECONDS = 3_600;

const nameOf = (namespace = '', metric = '', dimensions: readonly string[]): string =>
  [namespace, metric, ...dimensions.toSorted()].join('\n');

const linesIn = (logged: string): Line[] =>
  logged.split('\n').flatMap((text) => {
    const line = text.includes('"_aws"') ? parsedJson(text) : undefined;
    return line === undefined ? [] : [line as Line];
  });

/** The stand-in for CloudWatch: what functions have counted since the start. */
export const createCloudWatch = () => {
  const metrics = new Map<string, Map<number, number>>();

  const count = (line: Line): void => {
    const { Timestamp, CloudWatchMetrics } = line._aws;
    const [{ Namespace, Dimensions, Metrics }] = CloudWatchMetrics;
    const dimensions = Dimensions[0].map((name) => `${name}=${line[name]}`);
    const name = nameOf(Namespace, Metrics[0].Name, dimensions);
    const hour = Math.floor(Timestamp / 1_000 / HOUR_SECONDS) * HOUR_SECONDS;
    const sums = metrics.get(name) ?? new Map<number, number>();
    metrics.set(name, sums.set(hour, (sums.get(hour) ?? 0) + 1));
  };

  const resultOf = ({ Id, MetricStat }: MetricDataQuery, { StartTime, EndTime }: Input) => {
    const { Namespace, MetricName, Dimensions = [] } = MetricStat?.Metric ?? {};
    const dimensions = Dimensions.map(({ Name, Value }) => `${Name}=${Value}`);
    const sums = [...(metrics.get(nameOf(Namespace, MetricName, dimensions)) ?? [])].filter(
      ([hour]) => hour >= StartTime && hour < EndTime,
    );
    return { Id, Timestamps: sums.map(([hour]) => hour), Values: sums.map(([, sum]) => sum) };
  };

  return {
    /** Counts the metrics in lines of a function, as `countMetric` writes them: each counts one. */
    collect: (logged: string) => linesIn(logged).forEach(count),
    /** Answers `GetMetricData` with sums per hour, whatever the query asks for. */
    answer: (operation: string, body: unknown) => {
      if (operation !== 'GetMetricData') return unsupported();
      const input = body as Input;
      return awsReply({ MetricDataResults: input.MetricDataQueries.map((query) => resultOf(query, input)) });
    },
  };
};

export type CloudWatch = ReturnType<typeof createCloudWatch>;
