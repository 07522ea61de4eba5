import type { Json } from './stack.ts';

/** What a metric measured, oldest first; undefined where CloudWatch has no data. */
export type Values = readonly (number | undefined)[];

/** Recorded values of the metrics of a fault, by `<namespace> <metric>`. `of` selects a function, bucket or reason. */
export interface Recorded {
  readonly metric: string;
  readonly of?: string;
  readonly values: Values;
}

const valuesOf = ({ Namespace, MetricName, Dimensions }: Json, recorded: readonly Recorded[]): Values =>
  recorded.find(
    ({ metric, of = '' }) =>
      metric === `${Namespace} ${MetricName}` && JSON.stringify(Dimensions ?? []).includes(of),
  )?.values ?? [];

const COMBINE: Readonly<Record<string, (values: number[]) => number>> = {
  SUM: (values) => values.reduce((sum, value) => sum + value, 0),
  MAX: (values) => Math.max(...values),
};

/** Failures above a floor and a ratio of calls. Only these forms occur. */
const RATIO = /^IF\(failures >= (\d+) AND failures \* (\d+) >= calls, failures, 0\)$/;

const evaluate = (expression: string, operands: readonly Values[], periods: number): Values => {
  const [, floor, oneIn] = RATIO.exec(expression) ?? [];
  if (floor !== undefined) {
    const [failures = [], calls = []] = operands;
    return failures.map((failed = 0, at) =>
      failed >= Number(floor) && failed * Number(oneIn) >= (calls[at] ?? 0) ? failed : 0,
    );
  }
  const combine = COMBINE[/^([A-Z]+)\(\[[\w, ]+\]\)$/.exec(expression)?.[1] ?? ''];
  if (combine === undefined) throw new Error(`The expression ${expression} is not supported.`);
  return Array.from({ length: periods }, (_, at) => {
    const present = operands.flatMap((values) => values.at(at - periods) ?? []);
    return present.length === 0 ? undefined : combine(present);
  });
};

const COMPARE: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** Whether an alarm of the template is raised by the last periods of what was recorded. */
export const isRaised = (properties: Json, recorded: readonly Recorded[]): boolean => {
  const { Metrics, EvaluationPeriods: periods, TreatMissingData, Threshold, ComparisonOperator } = properties;
  const stats: Json[] = Metrics?.flatMap(({ MetricStat }: Json) => MetricStat?.Metric ?? []) ?? [properties];
  const expression =
    Metrics?.find(({ Expression }: Json) => Expression !== undefined)?.Expression ?? 'SUM([m])';
  const compare = COMPARE[ComparisonOperator];
  if (compare === undefined) throw new Error(`${ComparisonOperator} is not supported.`);
  const operands = stats.map((stat) => valuesOf(stat, recorded));
  return evaluate(expression, operands, periods).every((value) =>
    value === undefined ? TreatMissingData === 'breaching' : compare(value, Threshold),
  );
};
