import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import { METRICS, REFUSED_CALLS, type refusalGroup } from '../../../contract/http/errors.ts';
import { TABLE } from '../../../contract/table.ts';
import type { Operation } from '../functions/operation.ts';
import type { Table } from '../table.ts';

const { SUM, MAXIMUM, p } = cloudwatch.Stats;

export const PERIOD = Duration.minutes(5);

// DynamoDB operations that the functions use.
const TABLE_OPERATIONS = [
  ...['GetItem', 'BatchGetItem', 'Query'],
  ...['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'],
];

const combined = (
  label: string,
  combine: 'SUM' | 'MAX',
  usingMetrics: Record<string, cloudwatch.IMetric>,
): cloudwatch.IMetric =>
  // Not "+": these metrics have no data while nothing fails, and "+" has data only if all its operands do.
  new cloudwatch.MathExpression({
    label,
    expression: `${combine}([${Object.keys(usingMetrics).join(', ')}])`,
    usingMetrics,
    period: PERIOD,
  });

/** Names of metrics in an expression are made of letters, digits and underscores. */
const nameOf = (id: string): string => id.toLowerCase().replaceAll('-', '_');

const named = (
  operations: readonly Operation[],
  metricOf: (fn: Operation['function']) => cloudwatch.IMetric,
) => Object.fromEntries(operations.map((each) => [nameOf(each.operationId), metricOf(each.function)]));

/** A metric of Cuevault's own. */
export const ownMetric = (metricName: string, stage: string, dimensions = {}): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace: METRICS,
    metricName,
    dimensionsMap: { Stage: stage, ...dimensions },
    statistic: SUM,
    period: PERIOD,
  });

/** Access entries that could not be written to the table and were logged instead. */
export const accessEntriesLost = (stage: string): cloudwatch.Metric => ownMetric('AccessEntriesLost', stage);

/** Calls refused because of their API key: no valid key (401), or a key without the necessary permissions (403). */
export const refusedCalls = (stage: string, Group: ReturnType<typeof refusalGroup>): cloudwatch.Metric =>
  ownMetric(REFUSED_CALLS, stage, { Group });

/**
 * The failures of calls, if there are at least five in the period and one in a hundred calls; otherwise 0. So one failure
 * pages nobody, and a few among thousands do not.
 */
export const manyFailures = (failures: cloudwatch.IMetric, calls: cloudwatch.IMetric): cloudwatch.IMetric =>
  new cloudwatch.MathExpression({
    label: 'failures',
    expression: 'IF(failures >= 5 AND failures * 100 >= calls, failures, 0)',
    usingMetrics: { failures, calls },
    period: PERIOD,
  });

/** System errors of DynamoDB, over all operations in use. */
export const tableFaults = ({ resource }: Table): cloudwatch.IMetric => {
  const faults = TABLE_OPERATIONS.map((Operation): [string, cloudwatch.IMetric] => [
    Operation.toLowerCase(),
    resource.metric('SystemErrors', {
      dimensionsMap: { TableName: resource.tableName, Operation },
      statistic: SUM,
    }),
  ]);
  return combined('faults', 'SUM', Object.fromEntries(faults));
};

/** Reads and writes that DynamoDB throttled, of the table and of its index. */
export const tableThrottles = ({ resource }: Table): cloudwatch.IMetric => {
  const index = { GlobalSecondaryIndexName: TABLE.index.name };
  const events = ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((name) =>
    [{}, index].map((more): [string, cloudwatch.IMetric] => [
      `${name.toLowerCase()}${more === index ? '_index' : ''}`,
      resource.metric(name, {
        dimensionsMap: { TableName: resource.tableName, ...more },
        statistic: SUM,
      }),
    ]),
  );
  return combined('throttled reads and writes', 'SUM', Object.fromEntries(events));
};

export const throttles = (operations: readonly Operation[]): cloudwatch.IMetric =>
  combined(
    'throttled invocations',
    'SUM',
    named(operations, (fn) => fn.metricThrottles()),
  );

/** The 99th percentile of the slowest of the functions, in milliseconds. */
export const slowest = (operations: readonly Operation[]): cloudwatch.IMetric =>
  combined(
    'slowest function',
    'MAX',
    named(operations, (fn) => fn.metricDuration({ statistic: p(99) })),
  );

/** Concurrent executions of all functions of the account in this region. */
export const accountConcurrency = (): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace: 'AWS/Lambda',
    metricName: 'ConcurrentExecutions',
    statistic: MAXIMUM,
    period: PERIOD,
  });
