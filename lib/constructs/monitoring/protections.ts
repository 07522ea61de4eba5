import { EventField, type EventPattern, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { runbook } from './topic.ts';

const ID = 'protections-changed';

const CLOUDFORMATION = 'cloudformation.amazonaws.com';

const EVENTS = [
  ...['ScheduleKeyDeletion', 'DisableKey', 'PutKeyPolicy'],
  ...['PutResourcePolicy', 'DeleteResourcePolicy', 'UpdateTable'],
  ...['UpdateContinuousBackups', 'UpdateTimeToLive'],
  ...['PutBucketPolicy', 'DeleteBucketPolicy', 'PutBucketLifecycle', 'PutBucketReplication'],
  ...['DisableRule', 'DeleteRule', 'RemoveTargets'],
  // Lambda's events have the version of its API as a suffix.
  { prefix: 'DeleteEventSourceMapping' },
];

/** Somebody pauses a consumer, as the runbook says, or goes on. */
const PAUSES = [{ prefix: 'UpdateEventSourceMapping' }];

// Each deployment makes one for each function.
const CODE_EVENTS = [{ prefix: 'UpdateFunctionCode' }, { prefix: 'UpdateFunctionConfiguration' }];

export interface ProtectionsProps {
  readonly stage: string;
  readonly keyArns: readonly string[];
  readonly table: { readonly tableArn: string; readonly tableName: string };
  readonly sealedLog: string;
  readonly stackName: string;
  /** The mappings that invoke functions with the records of the table's stream. */
  readonly mappingIds: readonly string[];
  /** Names of the rules that invoke what seals the audit log. */
  readonly scheduleNames: readonly string[];
  readonly topic: Topic;
}

/**
 * Reports changes of what protects the data, from CloudTrail: the keys and their policies, the table, its policy, backups
 * and expiry, the policy of the sealed log and the schedule of its job, the consumers of the stream, and the code of
 * functions. What CloudFormation does, and a pause of a consumer, is a notice, or nothing for code. The account needs a
 * trail.
 */
export class Protections extends Construct {
  constructor(scope: Construct, id: string, props: ProtectionsProps) {
    super(scope, id);
    const byOthers = { 'anything-but': CLOUDFORMATION };
    this.#report('changed', patternOf(props, EVENTS, byOthers), props);
    this.#report('deployed', patternOf(props, [...EVENTS, ...PAUSES], CLOUDFORMATION), props, 'Notice: ');
    this.#report('paused', patternOf(props, PAUSES, byOthers), props, 'Notice: ');
    this.#report('code', codePattern(props, byOthers), props);
  }

  #report(id: string, eventPattern: EventPattern, { stage, topic }: ProtectionsProps, opening = ''): void {
    const description = `cuevault-${stage}-${ID}, ${id}. ${runbook(ID)}`;
    const rule = new Rule(this, id, { description, eventPattern });
    const [event, who, from] = ['eventName', 'userIdentity.arn', 'sourceIPAddress'].map((name) =>
      EventField.fromPath(`$.detail.${name}`),
    );
    rule.addTarget(
      new SnsTopic(topic, {
        message: RuleTargetInput.fromText(
          `${opening}${event} at ${EventField.time}, by ${who}, from ${from}, in cuevault-${stage}. ${runbook(ID)}`,
        ),
      }),
    );
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'EventBridge retries for 24 hours, and CloudTrail keeps the event.',
    });
  }
}

/** What CloudFormation keeps of a stack's name in the names that it generates for functions. */
const KEPT_CHARACTERS = 25;

/** What the names of a stack's functions begin with. */
const functionPrefix = (stackName: string): string =>
  stackName.length > KEPT_CHARACTERS ? stackName.slice(0, KEPT_CHARACTERS) : `${stackName}-`;

/** Names of functions come with or without the ARN around them. */
const codePattern = ({ stackName }: ProtectionsProps, caller: unknown): EventPattern => ({
  source: ['aws.lambda'],
  detailType: ['AWS API Call via CloudTrail'],
  detail: {
    eventName: CODE_EVENTS,
    sourceIPAddress: [caller],
    requestParameters: {
      functionName: [
        { prefix: functionPrefix(stackName) },
        { wildcard: `arn:*:function:${functionPrefix(stackName)}*` },
      ],
    },
  },
});

const patternOf = (
  { keyArns, table, mappingIds, sealedLog, scheduleNames }: ProtectionsProps,
  eventName: readonly unknown[],
  caller: unknown,
): EventPattern => ({
  source: ['aws.kms', 'aws.dynamodb', 'aws.lambda', 'aws.s3', 'aws.events'],
  detailType: ['AWS API Call via CloudTrail'],
  detail: {
    eventName: [...eventName],
    sourceIPAddress: [caller],
    $or: [
      { resources: { ARN: keyArns } },
      { requestParameters: { resourceArn: [table.tableArn] } },
      { requestParameters: { tableName: [table.tableName, table.tableArn] } },
      { requestParameters: { bucketName: [sealedLog] } },
      { requestParameters: { name: scheduleNames } },
      { requestParameters: { rule: scheduleNames } },
      // CloudTrail writes the first letter of a parameter in lower case.
      { requestParameters: { uUID: mappingIds } },
      { requestParameters: { uuid: mappingIds } },
    ],
  },
});
