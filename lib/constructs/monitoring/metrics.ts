import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import { METRICS, REFUSED_CALLS, type refusalGroup } from '../../../contract/http/errors.ts';
import type { Api } from '../api.ts';
import type { Operation } from '../functions/operation.ts';

const { SUM, MAXIMUM } = cloudwatch.Stats;

export const PERIOD = Duration.minutes(5);

const EACH = { period: PERIOD, statistic: SUM };

/** A metric of Cuevault's own. */
export const ownMetric = (metricName: string, stage: string, dimensions = {}): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace: METRICS,
    metricName,
    dimensionsMap: { Stage: stage, ...dimensions },
    ...EACH,
  });

/** Access entries that could not be written to the table and were logged instead. */
export const accessEntriesLost = (stage: string): cloudwatch.Metric => ownMetric('AccessEntriesLost', stage);

/** Calls refused because of their API key: no valid key (401), or a key without the necessary permissions (403). */
export const refusedCalls = (stage: string, Group: ReturnType<typeof refusalGroup>): cloudwatch.Metric =>
  ownMetric(REFUSED_CALLS, stage, { Group });

/**
 * The replies of status 500 or above, if there are at least five in the period and one in a hundred calls; otherwise 0. So
 * one failure alarms nobody, and a few among thousands do not.
 */
export const manyServerErrors = ({ resource }: Api): cloudwatch.IMetric =>
  new cloudwatch.MathExpression({
    label: 'failures',
    expression: 'IF(failures >= 5 AND failures * 100 >= calls, failures, 0)',
    usingMetrics: { failures: resource.metricServerError(EACH), calls: resource.metricCount(EACH) },
    period: PERIOD,
  });

/** Invocations that Lambda throttled, of all functions of the account in this region: they share one limit. */
export const accountThrottles = (): cloudwatch.Metric =>
  new cloudwatch.Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...EACH });

/** How far a consumer is behind the stream, in milliseconds. */
export const ageOf = ({ function: fn }: Operation): cloudwatch.Metric =>
  fn.metric('IteratorAge', { period: PERIOD, statistic: MAXIMUM });
