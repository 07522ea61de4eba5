import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { REFUSED_CALLS, type RefusalReason, UNKNOWN_VALUES } from '../../../contract/http/errors.ts';
import type { Api } from '../api.ts';
import type { Operation } from '../functions/operation.ts';
import { accountThrottles, ageOf, manyServerErrors, ownMetric, PERIOD, refusedCalls } from './metrics.ts';
import { runbook } from './topic.ts';

const BEHIND_MS = Duration.minutes(10).toMilliseconds();
// Some are normal when traffic starts: callers and Lambda retry.
const MANY_THROTTLES = 10;
// Repeated forbidden calls are rarely a mistake.
const MANY_FORBIDDEN = 20;
// Somebody who finds a leaked value asks once or twice.
const MANY_UNKNOWN = 11;

export interface AlarmsProps {
  readonly stage: string;
  readonly topic: Topic;
  readonly api: Api;
  /** The consumer of the stream that sends events. The other only counts, and what it misses can be counted later. */
  readonly changes: Operation;
  readonly failedRecords: Bucket;
  /** The operation that every sign-in invokes. */
  readonly signIn: Operation;
  /** Deliveries to the webhook that EventBridge gave up. @default - there is no webhook */
  readonly undelivered?: cloudwatch.IMetric | undefined;
}

interface Condition {
  readonly metric: cloudwatch.IMetric;
  /** The alarm is raised at this value or above. @default 1 */
  readonly atLeast?: number;
  readonly says: string;
}

/**
 * The alarms: what somebody must do something about. Their names are `cuevault-<stage>-<what failed>`; `docs/operations.md`
 * has a section with the last part as its title for each. `isMailed` says whether there are others than the first.
 */
export class Alarms extends Construct {
  /** The alarm that stops a gradual deployment. */
  readonly serverErrors: cloudwatch.IAlarm;
  readonly #all: cloudwatch.IAlarm[] = [];
  readonly #props: AlarmsProps;

  constructor(scope: Construct, id: string, isMailed: boolean, props: AlarmsProps) {
    super(scope, id);
    this.#props = props;
    this.serverErrors = this.#alarm('api-server-errors', {
      metric: manyServerErrors(props.api),
      says: 'Five or more, and at least one percent, of the replies had status 500 or above in five minutes.',
    });
    if (isMailed) this.#addOthers();
  }

  get all(): readonly cloudwatch.IAlarm[] {
    return this.#all;
  }

  #addOthers(): void {
    const { stage, changes, failedRecords, signIn, undelivered } = this.#props;
    this.#alarm('function-throttles', {
      metric: accountThrottles(),
      atLeast: MANY_THROTTLES,
      says: `Lambda throttled ${MANY_THROTTLES} or more calls of functions in this account in five minutes.`,
    });
    this.#alarm('sign-in-failures', {
      metric: signIn.function.metricErrors({ period: PERIOD }),
      says: 'Operators cannot sign in or renew their sessions.',
    });
    this.#alarm('changes-behind', {
      metric: ageOf(changes),
      atLeast: BEHIND_MS,
      says: "Events are sent more than ten minutes late: changes is behind the table's stream.",
    });
    this.#alarm('failed-records', {
      // Measured once a day.
      metric: new cloudwatch.Metric({
        namespace: 'AWS/S3',
        metricName: 'NumberOfObjects',
        dimensionsMap: { BucketName: failedRecords.bucketName, StorageType: 'AllStorageTypes' },
        statistic: cloudwatch.Stats.AVERAGE,
        period: Duration.days(1),
      }),
      says: 'Records of the stream expired before a function processed them.',
    });
    this.#alarm('rows-refused', {
      metric: ownMetric('IntegrityFailures', stage),
      says: 'The signature of a row of the table does not verify: someone has changed the row by hand.',
    });
    this.#alarm('forbidden-calls', {
      metric: refusedCalls(stage, '403'),
      atLeast: MANY_FORBIDDEN,
      says: `${MANY_FORBIDDEN} or more calls in five minutes that exceed the permissions of a valid API key.`,
    });
    this.#alarm('unknown-values', {
      metric: ownMetric(UNKNOWN_VALUES, stage).with({ period: Duration.hours(1) }),
      atLeast: MANY_UNKNOWN,
      says: `${MANY_UNKNOWN} or more questions in an hour who has a value that no secret has: somebody may be guessing.`,
    });
    this.#alarm('expired-key-calls', {
      metric: ownMetric(REFUSED_CALLS, stage, { Reason: 'expired' satisfies RefusalReason }),
      says: 'An application still calls with an API key that has expired.',
    });
    if (undelivered === undefined) return;
    this.#alarm('webhook-failures', {
      metric: undelivered,
      says: 'EventBridge could not deliver a change to the webhook, in spite of its retries.',
    });
  }

  #alarm(id: string, { metric, atLeast = 1, says }: Condition): cloudwatch.IAlarm {
    const alarm = new cloudwatch.Alarm(this, id, {
      metric,
      threshold: atLeast,
      evaluationPeriods: 1,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
      alarmName: `cuevault-${this.#props.stage}-${id}`,
      alarmDescription: `${says} ${runbook(id)}`,
    });
    alarm.addAlarmAction(new SnsAction(this.#props.topic));
    this.#all.push(alarm);
    return alarm;
  }
}
