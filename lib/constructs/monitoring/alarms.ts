import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Duration, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { REFUSALS, REFUSED_CALLS } from '../../../contract/http/refusals.ts';
import type { Api } from '../api.ts';
import type { Operation } from '../functions/operation.ts';
import type { Table } from '../table.ts';

const PERIOD = Duration.minutes(5);
const BEHIND_MS = Duration.minutes(10).toMilliseconds();

// An application whose key has expired retries for minutes; repeated forbidden calls are rarely a mistake.
const BURST_401 = 100;
const BURST_403 = 20;

// DynamoDB operations that the functions use.
const TABLE_OPERATIONS = ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];

// SUM, not "+": these metrics have no data while nothing fails, and "+" has data only if all its operands do.
const sumOf = (label: string, usingMetrics: Record<string, cloudwatch.IMetric>): cloudwatch.IMetric =>
  new cloudwatch.MathExpression({
    label,
    expression: `SUM([${Object.keys(usingMetrics).join(', ')}])`,
    usingMetrics,
    period: PERIOD,
  });

const ownMetric = (metricName: string, stage: string): cloudwatch.Metric =>
  new cloudwatch.Metric({
    namespace: 'Cuevault',
    metricName,
    dimensionsMap: { Stage: stage },
    statistic: cloudwatch.Stats.SUM,
    period: PERIOD,
  });

/** Access entries that could not be written to the table and were logged instead. */
export const accessEntriesLost = (stage: string): cloudwatch.Metric => ownMetric('AccessEntriesLost', stage);

/** Rows that were rejected because their signature does not verify. */
export const integrityFailures = (stage: string): cloudwatch.Metric => ownMetric('IntegrityFailures', stage);

/** Changes of rows or of the sealed log that Cuevault did not make. */
export const integrityFindings = (stage: string): cloudwatch.Metric => ownMetric('IntegrityFindings', stage);

/** Calls refused because of their API key: no valid key (401), or a key without the necessary permissions (403). */
export const refusedCalls = (stage: string, group: '401' | '403'): cloudwatch.IMetric => {
  const reasons = Object.entries(REFUSALS).filter(
    ([, code]) => (code === 'unauthenticated') === (group === '401'),
  );
  const calls = reasons.map(([Reason]): [string, cloudwatch.IMetric] => [
    Reason,
    new cloudwatch.Metric({
      namespace: 'Cuevault',
      metricName: REFUSED_CALLS,
      dimensionsMap: { Stage: stage, Reason },
      statistic: cloudwatch.Stats.SUM,
      period: PERIOD,
    }),
  ]);
  return sumOf(
    group === '401' ? 'without a valid key' : 'beyond the permissions of a key',
    Object.fromEntries(calls),
  );
};

/** System errors of DynamoDB, over all operations in use. */
export const tableFaults = ({ resource }: Table): cloudwatch.IMetric => {
  const faults = TABLE_OPERATIONS.map((Operation): [string, cloudwatch.IMetric] => [
    Operation.toLowerCase(),
    resource.metric('SystemErrors', {
      dimensionsMap: { TableName: resource.tableName, Operation },
      statistic: cloudwatch.Stats.SUM,
    }),
  ]);
  return sumOf('faults', Object.fromEntries(faults));
};

const failures = ({ function: fn }: Operation): cloudwatch.IMetric =>
  sumOf('errors and throttles', { errors: fn.metricErrors(), throttles: fn.metricThrottles() });

export interface AlarmsProps {
  readonly stage: string;
  readonly api: Api;
  readonly table: Table;
  /** Operations with their own alarm. Failures of the others count as failures of the API. */
  readonly watched: readonly Operation[];
  /** Operations that the table's stream invokes. Each has an alarm that reports when it falls behind. */
  readonly consumers: readonly Operation[];
  /**
   * Address that alarms are mailed to.
   * @default - alarms notify nobody
   */
  readonly email?: string | undefined;
}

/** The alarms that page someone. Their names are `cuevault-<stage>-<what failed>`. */
export class Alarms extends Construct {
  readonly all: cloudwatch.Alarm[] = [];
  readonly #byId = new Map<string, cloudwatch.Alarm>();
  readonly #stage: string;
  readonly #action: SnsAction | undefined;

  constructor(scope: Construct, id: string, { stage, api, table, watched, consumers, email }: AlarmsProps) {
    super(scope, id);
    this.#stage = stage;
    this.#action = email === undefined ? undefined : this.#mailTo(email);
    this.#alarm('api-server-errors', {
      metric: api.resource.metricServerError({ period: PERIOD, statistic: cloudwatch.Stats.SUM }),
      threshold: 5,
      alarmDescription: 'Five or more replies with status 500 or above in five minutes.',
    });
    this.#alarm('access-entries-lost', {
      metric: accessEntriesLost(stage),
      threshold: 1,
      alarmDescription: 'Prompts were served whose access entries went to the log instead of the table.',
    });
    this.#alarm('unauthenticated-calls', {
      metric: refusedCalls(stage, '401'),
      threshold: BURST_401,
      alarmDescription: `${BURST_401} or more calls without a valid API key in five minutes.`,
    });
    this.#alarm('forbidden-calls', {
      metric: refusedCalls(stage, '403'),
      threshold: BURST_403,
      alarmDescription: `${BURST_403} or more calls in five minutes that exceed the permissions of a valid API key.`,
    });
    this.#alarm('rows-refused', {
      metric: integrityFailures(stage),
      threshold: 1,
      alarmDescription:
        'The signature of a row of the table does not verify: someone has changed the row by hand.',
    });
    this.#alarm('integrity-findings', {
      metric: integrityFindings(stage),
      threshold: 1,
      alarmDescription:
        'Someone has changed or removed audit entries, signed rows or objects of the sealed log without Cuevault.',
    });
    this.#alarm('table-faults', {
      metric: tableFaults(table),
      threshold: 5,
      alarmDescription: 'DynamoDB answered five or more requests with a system error in five minutes.',
    });
    for (const { operationId, function: fn } of consumers) {
      this.#alarm(`${operationId}-behind`, {
        metric: fn.metric('IteratorAge', { period: PERIOD, statistic: cloudwatch.Stats.MAXIMUM }),
        threshold: BEHIND_MS,
        alarmDescription: `The function ${operationId} is more than ten minutes behind the table's stream, which keeps records for 24 hours.`,
      });
    }
    for (const operation of watched) {
      this.#alarm(`${operation.operationId}-failures`, {
        metric: failures(operation),
        threshold: 1,
        alarmDescription: `The function ${operation.operationId} failed, timed out or was throttled.`,
      });
    }
  }

  #alarm(id: string, props: Pick<cloudwatch.AlarmProps, 'metric' | 'threshold' | 'alarmDescription'>): void {
    const alarm = new cloudwatch.Alarm(this, id, {
      ...props,
      alarmName: `cuevault-${this.#stage}-${id}`,
      evaluationPeriods: 1,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    if (this.#action !== undefined) alarm.addAlarmAction(this.#action);
    this.all.push(alarm);
    this.#byId.set(id, alarm);
  }

  /** The alarms that report failures of an endpoint for applications. */
  ofReads({ operationId }: Operation): cloudwatch.Alarm[] {
    return ['api-server-errors', `${operationId}-failures`].map((id) => {
      const alarm = this.#byId.get(id);
      if (alarm === undefined) throw new Error(`There is no alarm ${id}.`);
      return alarm;
    });
  }

  #mailTo(email: string): SnsAction {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    // With its own policy, a topic no longer accepts what its account publishes; the policy must allow CloudWatch.
    topic.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    topic.addSubscription(new EmailSubscription(email));
    Validations.of(topic).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'Mail is the last resort: the dashboard also shows the state of every alarm.',
    });
    return new SnsAction(topic);
  }
}
