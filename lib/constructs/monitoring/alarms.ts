import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { REFUSED_CALLS, type RefusalReason, UNKNOWN_VALUES } from '../../../contract/http/errors.ts';
import type { Api } from '../api.ts';
import type { Operation } from '../functions/operation.ts';
import type { Table } from '../table.ts';
import {
  accessEntriesLost,
  accountConcurrency,
  manyFailures,
  ownMetric,
  PERIOD,
  refusedCalls,
  slowest,
  tableFaults,
  tableThrottles,
  throttles,
} from './metrics.ts';
import { runbook, type Severity, type Topics } from './topics.ts';

const { SUM, MAXIMUM, AVERAGE } = cloudwatch.Stats;

const EACH = { period: PERIOD, statistic: SUM };

const BEHIND_MS = Duration.minutes(10).toMilliseconds();
const SLOW_MS = Duration.seconds(3).toMilliseconds();
// Some are normal when traffic starts: callers and Lambda retry.
const MANY_THROTTLES = 10;

// An application whose key has expired retries for minutes; repeated forbidden calls are rarely a mistake.
const BURST_401 = 100;
const BURST_403 = 20;
// Somebody who finds a leaked value asks once or twice.
const MANY_UNKNOWN = 11;

/** 80 percent of the limit that most accounts have. */
const MANY_EXECUTIONS = 800;

const QUARTER = Duration.minutes(15);
const MINUTE = Duration.minutes(1);

/** What `manyFailures` counts. */
const SOME_PERCENT = 'Five or more, and at least one percent,';

/** HTTP APIs have no metric of throttled calls: the part of the throttle at which a notice is due. */
const NEAR = 0.8;

export interface AlarmsProps {
  readonly stage: string;
  /** Endpoints for applications. */
  readonly reads: readonly Operation[];
  /** Other functions whose failure cannot wait. */
  readonly urgent: readonly Operation[];
  /** Operations whose failure is retried or repaired by the next run. */
  readonly background: readonly Operation[];
  /** Operations that the table's stream invokes. Each has an alarm that reports when it falls behind. */
  readonly consumers: readonly Operation[];
  /** Operations that run at least every 15 minutes, whatever happens. */
  readonly steady: readonly Operation[];
  readonly api: Api;
  readonly table: Table;
  readonly failedRecords: Bucket;
  /** Deliveries to the webhook that EventBridge gave up. @default - there is no webhook */
  readonly undelivered?: cloudwatch.IMetric | undefined;
  readonly throttleRate: number;
  /** Whether there are no alarms for failures that raise `api-server-errors`, too. */
  readonly small: boolean;
  /** Whether there are alarms that page nobody. */
  readonly notices: boolean;
  readonly topics: Topics;
}

interface Condition {
  readonly metric: cloudwatch.IMetric;
  /** The alarm is raised at this value or above. */
  readonly atLeast: number;
  readonly periods?: number;
  /** Whether callers get a status of 500 or above, so that the alarm only says more than `api-server-errors`. */
  readonly isDetail?: boolean;
  readonly says: string;
}

/**
 * The alarms. Their names are `cuevault-<stage>-<what failed>`; `docs/operations.md` has a section with the last part as
 * its title for each. Those of the severity `page` need someone now, the others on the next working day.
 */
export class Alarms extends Construct {
  readonly byId = new Map<string, cloudwatch.Alarm>();
  readonly #props: AlarmsProps;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.#props = props;
    this.#service();
    this.#table();
    this.#calls();
    this.#functions();
    this.#stream();
  }

  ofReads({ operationId }: Operation): cloudwatch.Alarm[] {
    const ids = ['api-server-errors', ...(this.#props.small ? [] : [`${operationId}-failures`])];
    return ids.map((id) => {
      const alarm = this.byId.get(id);
      if (alarm === undefined) throw new Error(`There is no alarm ${id}.`);
      return alarm;
    });
  }

  #service(): void {
    const { api, reads, urgent, throttleRate } = this.#props;
    const { resource } = api;
    this.#alarm('api-server-errors', 'page', {
      metric: manyFailures(resource.metricServerError(EACH), resource.metricCount(EACH)),
      atLeast: 1,
      says: `${SOME_PERCENT} of the replies had status 500 or above in five minutes.`,
    });
    this.#alarm('throttle-near', 'notice', {
      metric: resource.metricCount({ period: MINUTE, statistic: SUM }),
      atLeast: throttleRate * MINUTE.toSeconds() * NEAR,
      periods: 3,
      says: `For three minutes, the API has had 80 percent of the calls that one of its routes accepts.`,
    });
    this.#alarm('read-latency', 'page', {
      metric: slowest(reads),
      isDetail: true,
      atLeast: SLOW_MS,
      periods: 3,
      says: 'For 15 minutes, one in a hundred calls of an endpoint for applications has taken three seconds or more.',
    });
    this.#alarm('function-throttles', 'page', {
      metric: throttles([...reads, ...urgent]),
      isDetail: true,
      atLeast: MANY_THROTTLES,
      says: `Lambda throttled ${MANY_THROTTLES} or more calls in five minutes.`,
    });
    this.#alarm('account-concurrency', 'notice', {
      metric: accountConcurrency(),
      atLeast: MANY_EXECUTIONS,
      says: `All functions of the account together ran ${MANY_EXECUTIONS} times at once, of 1,000 in most accounts.`,
    });
  }

  #table(): void {
    const { stage, table } = this.#props;
    this.#alarm('table-faults', 'page', {
      metric: tableFaults(table),
      isDetail: true,
      atLeast: 5,
      says: 'DynamoDB answered five or more requests with a system error in five minutes.',
    });
    this.#alarm('table-throttles', 'notice', {
      metric: tableThrottles(table),
      atLeast: MANY_THROTTLES,
      says: `DynamoDB throttled ${MANY_THROTTLES} or more requests in five minutes.`,
    });
    this.#alarm('rows-refused', 'page', {
      metric: ownMetric('IntegrityFailures', stage),
      atLeast: 1,
      says: 'The signature of a row of the table does not verify: someone has changed the row by hand.',
    });
    this.#alarm('access-entries-lost', 'notice', {
      metric: accessEntriesLost(stage),
      atLeast: 1,
      says: 'Prompts were served whose access entries went to the log instead of the table.',
    });
  }

  #calls(): void {
    const { stage, undelivered } = this.#props;
    this.#alarm('unauthenticated-calls', 'notice', {
      metric: refusedCalls(stage, '401'),
      atLeast: BURST_401,
      says: `${BURST_401} or more calls without a valid API key in five minutes.`,
    });
    this.#alarm('expired-key-calls', 'notice', {
      metric: ownMetric(REFUSED_CALLS, stage, { Reason: 'expired' satisfies RefusalReason }),
      atLeast: 1,
      says: 'An application still calls with an API key that has expired.',
    });
    this.#alarm('forbidden-calls', 'page', {
      metric: refusedCalls(stage, '403'),
      atLeast: BURST_403,
      says: `${BURST_403} or more calls in five minutes that exceed the permissions of a valid API key.`,
    });
    this.#alarm('unknown-values', 'page', {
      metric: ownMetric(UNKNOWN_VALUES, stage).with({ period: Duration.hours(1) }),
      atLeast: MANY_UNKNOWN,
      says: `${MANY_UNKNOWN} or more questions in an hour who has a value that no secret has: somebody may be guessing.`,
    });
    if (undelivered === undefined) return;
    this.#alarm('webhook-failures', 'notice', {
      metric: undelivered,
      atLeast: 1,
      says: 'EventBridge could not deliver a change to the webhook, in spite of its retries.',
    });
  }

  #functions(): void {
    const { reads, urgent, background, steady } = this.#props;
    for (const { operationId, function: fn } of reads)
      this.#alarm(`${operationId}-failures`, 'page', {
        metric: manyFailures(fn.metricErrors(EACH), fn.metricInvocations(EACH)),
        atLeast: 1,
        isDetail: true,
        says: `${SOME_PERCENT} of the calls of ${operationId} failed or timed out in five minutes.`,
      });
    for (const operation of urgent) this.#failures(operation, 'page');
    for (const operation of background) this.#failures(operation, 'notice');
    for (const { operationId, function: fn } of steady) {
      const metric = fn.metricInvocations({ period: QUARTER, statistic: SUM });
      this.#add(`${operationId}-missing`, 'page', `The function ${operationId} has not run for 45 minutes.`, {
        metric,
        threshold: 1,
        evaluationPeriods: 3,
        comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: cloudwatch.TreatMissingData.BREACHING,
      });
    }
  }

  #stream(): void {
    const { consumers, failedRecords } = this.#props;
    for (const consumer of consumers) {
      const { operationId, function: fn } = consumer;
      this.#alarm(`${operationId}-behind`, 'notice', {
        metric: fn.metric('IteratorAge', { period: PERIOD, statistic: MAXIMUM }),
        atLeast: BEHIND_MS,
        says: `The function ${operationId} is more than ten minutes behind the table's stream, which keeps records for 24 hours.`,
      });
    }
    this.#alarm('failed-records', 'notice', {
      // Measured once a day.
      metric: new cloudwatch.Metric({
        namespace: 'AWS/S3',
        metricName: 'NumberOfObjects',
        dimensionsMap: { BucketName: failedRecords.bucketName, StorageType: 'AllStorageTypes' },
        statistic: AVERAGE,
        period: Duration.days(1),
      }),
      atLeast: 1,
      says: 'Records of the stream expired before a function processed them.',
    });
  }

  #failures({ operationId, function: fn }: Operation, severity: Severity): void {
    this.#alarm(`${operationId}-failures`, severity, {
      metric: fn.metricErrors(EACH),
      atLeast: 1,
      says: `The function ${operationId} failed or timed out.`,
    });
  }

  #alarm(
    id: string,
    severity: Severity,
    { metric, atLeast, periods = 1, isDetail = false, says }: Condition,
  ): void {
    if (isDetail && this.#props.small) return;
    this.#add(id, severity, says, {
      metric,
      threshold: atLeast,
      evaluationPeriods: periods,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
  }

  #add(id: string, severity: Severity, says: string, props: cloudwatch.AlarmProps): void {
    const { stage, notices, topics } = this.#props;
    if (severity === 'notice' && !notices) return;
    const alarmDescription = `${says} ${runbook(id)}`;
    const alarm = new cloudwatch.Alarm(this, id, {
      ...props,
      alarmName: `cuevault-${stage}-${id}`,
      alarmDescription,
    });
    alarm.addAlarmAction(new SnsAction(topics[severity]));
    this.byId.set(id, alarm);
  }
}
