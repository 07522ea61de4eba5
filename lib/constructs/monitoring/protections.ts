import { EventField, type EventPattern, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { runbook, type Severity, type Topics } from './topics.ts';

const ID = 'protections-changed';

const CLOUDFORMATION = 'cloudformation.amazonaws.com';

const EVENTS = [
  ...['ScheduleKeyDeletion', 'DisableKey', 'PutKeyPolicy'],
  ...['PutResourcePolicy', 'DeleteResourcePolicy', 'UpdateTable'],
  ...['UpdateContinuousBackups', 'UpdateTimeToLive'],
  ...['PutBucketPolicy', 'DeleteBucketPolicy', 'PutBucketLifecycle'],
  // Lambda's events have the version of its API as a suffix.
  ...[{ prefix: 'UpdateEventSourceMapping' }, { prefix: 'DeleteEventSourceMapping' }],
];

// Each deployment makes one for each function.
const CODE_EVENTS = [{ prefix: 'UpdateFunctionCode' }, { prefix: 'UpdateFunctionConfiguration' }];

export interface ProtectionsProps {
  readonly stage: string;
  readonly keyArns: readonly string[];
  readonly table: { readonly tableArn: string; readonly tableName: string };
  readonly sealedLog: string;
  /** What the names of the functions begin with. */
  readonly stackName: string;
  /** The mappings that invoke functions with the records of the table's stream. */
  readonly mappingIds: readonly string[];
  readonly topics: Topics;
}

/**
 * Reports changes of what protects the data, from CloudTrail: the keys and their policies, the table, its policy, backups
 * and expiry, the policy of the sealed log, the consumers of the stream, and the code of functions. What CloudFormation
 * does is a notice, or nothing for code; everything else pages. The account needs a trail.
 */
export class Protections extends Construct {
  constructor(scope: Construct, id: string, props: ProtectionsProps) {
    super(scope, id);
    this.#report('page', patternOf(props, { 'anything-but': CLOUDFORMATION }), props);
    this.#report('notice', patternOf(props, CLOUDFORMATION), props);
    this.#report('page', codePattern(props), props, 'code');
  }

  #report(
    severity: Severity,
    eventPattern: EventPattern,
    { stage, topics }: ProtectionsProps,
    id: string = severity,
  ): void {
    const description = `cuevault-${stage}-${ID}, ${id}. ${runbook(ID)}`;
    const rule = new Rule(this, id, { description, eventPattern });
    const [event, who, from] = ['eventName', 'userIdentity.arn', 'sourceIPAddress'].map((name) =>
      EventField.fromPath(`$.detail.${name}`),
    );
    rule.addTarget(
      new SnsTopic(topics[severity], {
        message: RuleTargetInput.fromText(
          `${event} at ${EventField.time}, by ${who}, from ${from}, in cuevault-${stage}. ${runbook(ID)}`,
        ),
      }),
    );
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'EventBridge retries for 24 hours, and CloudTrail keeps the event.',
    });
  }
}

/** Names of functions come with or without the ARN around them. */
const codePattern = ({ stackName }: ProtectionsProps): EventPattern => ({
  source: ['aws.lambda'],
  detailType: ['AWS API Call via CloudTrail'],
  detail: {
    eventName: CODE_EVENTS,
    sourceIPAddress: [{ 'anything-but': CLOUDFORMATION }],
    requestParameters: {
      functionName: [{ prefix: `${stackName}-` }, { wildcard: `arn:*:function:${stackName}-*` }],
    },
  },
});

const patternOf = (
  { keyArns, table, mappingIds, sealedLog }: ProtectionsProps,
  caller: unknown,
): EventPattern => ({
  source: ['aws.kms', 'aws.dynamodb', 'aws.lambda', 'aws.s3'],
  detailType: ['AWS API Call via CloudTrail'],
  detail: {
    eventName: EVENTS,
    sourceIPAddress: [caller],
    $or: [
      { resources: { ARN: keyArns } },
      { requestParameters: { resourceArn: [table.tableArn] } },
      { requestParameters: { tableName: [table.tableName, table.tableArn] } },
      { requestParameters: { bucketName: [sealedLog] } },
      // CloudTrail writes the first letter of a parameter in lower case.
      { requestParameters: { uUID: mappingIds } },
      { requestParameters: { uuid: mappingIds } },
    ],
  },
});
