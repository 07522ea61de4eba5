import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import {
  METRICS,
  REFUSED_CALLS,
  type RefusalReason,
  type refusalGroup,
  UNKNOWN_VALUES,
} from '../../../contract/http/errors.ts';
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

const ownMetric = (metricName: string, stage: string, dimensions = {}): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace: METRICS,
    metricName,
    dimensionsMap: { Stage: stage, ...dimensions },
    statistic: SUM,
    period: PERIOD,
  });

/** Access entries that could not be written to the table and were logged instead. */
export const accessEntriesLost = (stage: string): cloudwatch.Metric => ownMetric('AccessEntriesLost', stage);

/** Rows that were rejected because their signature does not verify. */
export const integrityFailures = (stage: string): cloudwatch.Metric => ownMetric('IntegrityFailures', stage);

/** Changes of rows or of the sealed log that Cuevault did not make. */
export const integrityFindings = (stage: string): cloudwatch.Metric => ownMetric('IntegrityFindings', stage);

/** Questions in an hour who has a value that no stored value equals. */
export const unknownValues = (stage: string): cloudwatch.Metric =>
  ownMetric(UNKNOWN_VALUES, stage).with({ period: Duration.hours(1) });

export const refusedFor = (stage: string, Reason: RefusalReason): cloudwatch.Metric =>
  ownMetric(REFUSED_CALLS, stage, { Reason });

/** Calls refused because of their API key: no valid key (401), or a key without the necessary permissions (403). */
export const refusedCalls = (stage: string, Group: ReturnType<typeof refusalGroup>): cloudwatch.Metric =>
  ownMetric(REFUSED_CALLS, stage, { Group });

/**
 * The failures of calls, if there are as many as `floor` in the period and they are at least one in `oneIn` of the calls;
 * otherwise 0. So one failure pages nobody, and a few among thousands do not.
 */
export const manyFailures = (
  { failures, calls }: Record<'failures' | 'calls', cloudwatch.IMetric>,
  { floor, oneIn }: Record<'floor' | 'oneIn', number>,
): cloudwatch.IMetric =>
  new cloudwatch.MathExpression({
    label: 'failures',
    expression: `IF(failures >= ${floor} AND failures * ${oneIn} >= calls, failures, 0)`,
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
