import { EventField, type EventPattern, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { runbook, type Severity, type Topics } from './topics.ts';

const ID = 'protections-changed';

const CLOUDFORMATION = 'cloudformation.amazonaws.com';

// Lambda's events have the version of its API as a suffix.
const EVENTS = [
  ...['ScheduleKeyDeletion', 'DisableKey', 'PutKeyPolicy'],
  ...['PutResourcePolicy', 'DeleteResourcePolicy', 'UpdateTable'],
  ...[{ prefix: 'UpdateEventSourceMapping' }, { prefix: 'DeleteEventSourceMapping' }],
];

export interface ProtectionsProps {
  readonly stage: string;
  readonly keyArns: readonly string[];
  readonly table: { readonly tableArn: string; readonly tableName: string };
  /** The mappings that invoke functions with the records of the table's stream. */
  readonly mappingIds: readonly string[];
  readonly topics: Topics;
}

/**
 * Reports changes of what protects the data, from CloudTrail: the keys and their policies, the table and its policy, the
 * consumers of its stream. What CloudFormation does is a notice, everything else pages. The account needs a trail.
 */
export class Protections extends Construct {
  constructor(scope: Construct, id: string, props: ProtectionsProps) {
    super(scope, id);
    this.#report('page', { 'anything-but': CLOUDFORMATION }, props);
    this.#report('notice', CLOUDFORMATION, props);
  }

  #report(severity: Severity, caller: unknown, { stage, topics, ...protections }: ProtectionsProps): void {
    const rule = new Rule(this, severity, {
      description: `cuevault-${stage}-${ID}, ${severity}. ${runbook(ID)}`,
      eventPattern: patternOf(protections, caller),
    });
    const [event, who, from] = ['eventName', 'userIdentity.arn', 'sourceIPAddress'].map((name) =>
      EventField.fromPath(`$.detail.${name}`),
    );
    rule.addTarget(
      new SnsTopic(topics.of(severity), {
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

const patternOf = (
  { keyArns, table, mappingIds }: Pick<ProtectionsProps, 'keyArns' | 'table' | 'mappingIds'>,
  caller: unknown,
): EventPattern => ({
  source: ['aws.kms', 'aws.dynamodb', 'aws.lambda'],
  detailType: ['AWS API Call via CloudTrail'],
  detail: {
    eventName: EVENTS,
    sourceIPAddress: [caller],
    $or: [
      { resources: { ARN: keyArns } },
      { requestParameters: { resourceArn: [table.tableArn] } },
      { requestParameters: { tableName: [table.tableName, table.tableArn] } },
      // CloudTrail writes the first letter of a parameter in lower case.
      { requestParameters: { uUID: mappingIds } },
      { requestParameters: { uuid: mappingIds } },
    ],
  },
});
