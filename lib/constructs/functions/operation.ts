import { join } from 'node:path';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  type CfnElement,
  CustomResource,
  Duration,
  RemovalPolicy,
  Stack,
  Validations,
} from 'aws-cdk-lib/core';
import { InvocationType, Trigger } from 'aws-cdk-lib/triggers';
import { Construct, type IDependable } from 'constructs';
import { type Consumer as ConsumerDefinition, patternOf } from '../../../contract/functions/consumers.ts';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import type { Grant, StackFunction, UserPoolAction } from '../../../contract/functions/grants.ts';
import type { Job as JobDefinition } from '../../../contract/functions/jobs.ts';
import type { EventBus } from '../event-bus.ts';
import type { SigningKey } from '../keys/signing-key.ts';
import type { VaultKey } from '../keys/vault-key.ts';
import type { SealedLog } from '../sealed-log.ts';
import { allowed, newBucket, newLog } from '../shared.ts';
import type { Table } from '../table.ts';

/** Name of the alias that applications are served by. */
export const LIVE = 'live';

/** Where functions run: see `CuevaultStackProps`. */
export type Network = Pick<lambda.FunctionOptions, 'vpc' | 'vpcSubnets' | 'securityGroups'>;

export interface OperationProps {
  readonly table: Table;
  readonly vaultKey: VaultKey;
  readonly signingKey: SigningKey;
  readonly eventBus: EventBus;
  readonly sealedLog: SealedLog;
  /** Folder with the bundle of each operation: `<operation id>/index.mjs`. */
  readonly assetRoot: string;
  readonly network: Network | undefined;
  readonly logDays: number;
  /** The user pool of the operators. @default - no operation manages operators */
  readonly userPool?: { readonly grant: (fn: lambda.Function, actions: readonly UserPoolAction[]) => void };
  /** The jobs that operations may start. @default - none */
  readonly jobs?: readonly Operation[];
}

/**
 * The function of one operation, with its log and a role that allows only writing this log and what the operation's
 * grants list. The id of the construct is the operation id.
 */
export class Operation extends Construct {
  readonly operationId: string;
  readonly function: lambda.Function;
  /** Permissions that the function itself does not depend on. */
  readonly granted: IDependable[] = [];
  #live: lambda.Alias | undefined;

  constructor(scope: Construct, definition: StackFunction, props: OperationProps) {
    super(scope, definition.id);
    this.operationId = definition.id;
    const logGroup = newLog(this, 'Log', props.logDays);
    const role = new iam.Role(this, 'Role', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    // CDK adds it only to roles that it creates itself, and without it Lambda refuses the function.
    if (props.network !== undefined)
      role.addManagedPolicy(
        iam.ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSLambdaVPCAccessExecutionRole'),
      );
    this.function = new lambda.Function(this, 'Function', {
      description: definition.summary,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      handler: 'index.handler',
      code: lambda.Code.fromAsset(join(props.assetRoot, definition.id)),
      memorySize: definition.memoryMb,
      timeout: Duration.seconds(definition.timeoutSeconds),
      environment: { [ENVIRONMENT.operation]: definition.id },
      ...props.network,
      role,
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      // Lambda's own lines about each call cost more than the rest of the log; its metrics contain the same.
      systemLogLevelV2: lambda.SystemLogLevel.WARN,
      currentVersionOptions: { removalPolicy: RemovalPolicy.DESTROY },
    });
    for (const grant of definition.grants) {
      if (grant.on === 'vault-key') this.granted.push(props.vaultKey.grant(this.function, grant.actions));
      else if (grant.on === 'signing-key') props.signingKey.grant(this.function, grant.actions);
      else if (grant.on === 'event-bus') props.eventBus.grant(this.function, grant.actions);
      else if (grant.on === 'job') this.#letStart(grant, props.jobs ?? []);
      else if (grant.on === 'metrics') this.#letMeasure(grant, props.eventBus);
      else if (grant.on === 'user-pool') props.userPool?.grant(this.function, grant.actions);
      else if (grant.on === 'sealed-log') props.sealedLog.grant(this.function, grant.actions);
    }
    const ofTable = definition.grants.filter((grant) => grant.on === 'table' || grant.on === 'index');
    if (ofTable.length > 0) props.table.grant(this.function, ofTable, definition.readsCopies);
    if (definition.grants.some(({ on }) => on === 'table')) props.signingKey.letVerify(this.function);
    this.#acknowledge(props.network);
  }

  /** The version in service. A deployment that changes the function moves this alias to the new version. */
  get live(): lambda.Alias {
    this.#live ??= new lambda.Alias(this, 'Live', {
      aliasName: LIVE,
      // CDK declares `role` of a version differently than its interface does.
      version: this.function.currentVersion as lambda.IVersion,
    });
    return this.#live;
  }

  /**
   * Invokes the function after each deployment that changes it and, at the first, after `others` exist. The deployment
   * does not wait: work that takes minutes, or fails, must not delay it or roll it back. Lambda retries a failed
   * event twice, and the function's alarm reports it.
   */
  runAfterDeployment(...others: IDependable[]): void {
    const trigger = new Trigger(this, 'AfterDeployment', {
      handler: this.function,
      invocationType: InvocationType.EVENT,
    });
    trigger.node.addDependency(...this.granted, ...others);
    Validations.of(this.function).acknowledge({
      id: 'Annotation::@aws-cdk/aws-lambda:addPermissionsToVersionOrAlias',
      reason: 'Only the trigger, which has its own grant, uses a version.',
    });
  }

  /** Grants starting a job, and passes its name. No alias or version of the job. */
  #letStart({ job: id, actions }: Extract<Grant, { on: 'job' }>, jobs: readonly Operation[]): void {
    const job = jobs.find(({ operationId }) => operationId === id)?.function;
    if (job === undefined) throw new Error(`${this.operationId} may start ${id}, which is not a job.`);
    this.function.addToRolePolicy(allowed('lambda', actions, [job.functionArn]));
    this.function.addEnvironment(ENVIRONMENT.job, job.functionName);
  }

  /** Grants reading metrics, and passes what those of this stack are named by. */
  #letMeasure({ actions }: Extract<Grant, { on: 'metrics' }>, { stage, webhookRule }: EventBus): void {
    this.function.addToRolePolicy(allowed('cloudwatch', actions, ['*']));
    this.function.addEnvironment(ENVIRONMENT.stage, stage);
    if (webhookRule !== undefined) this.function.addEnvironment(ENVIRONMENT.webhookRule, webhookRule);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CloudWatch has no permissions for single metrics.',
    });
  }

  #acknowledge(network: Network | undefined): void {
    if (network !== undefined)
      Validations.of(this).acknowledge({
        id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole]`,
        reason: 'Lambda itself creates the network interfaces, which have no names before.',
      });
    Validations.of(this.function).acknowledge(
      {
        id: 'Serverless-LambdaTracing',
        reason:
          'The function log and the reply share one request id. Tracing would need xray actions on every resource.',
      },
      {
        id: 'Serverless-LambdaDLQ',
        reason:
          'Endpoints and commands are called synchronously, and a stream keeps what a consumer has not processed. Alarms report jobs that failed; the runbook says how to start each again.',
      },
    );
  }
}

/** An operation without a route: if its definition says so, a schedule or each deployment invokes it. */
export class Job extends Operation {
  /** Name of the rule that invokes it. @default - no schedule does */
  readonly scheduleName: string | undefined;

  constructor(scope: Construct, definition: JobDefinition, props: OperationProps) {
    super(scope, definition, props);
    if (definition.everyMinutes !== undefined)
      this.scheduleName = this.#schedule(definition.id, definition.everyMinutes);
    const created = definition.creates === undefined ? [] : [this.#create(definition.creates)];
    if (definition.afterDeployment) this.runAfterDeployment(...created);
  }

  #schedule(id: string, everyMinutes: number): string {
    const rule = new Rule(this, 'Schedule', {
      description: `${id}, every ${everyMinutes} minutes`,
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(this.function)],
    });
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'A scheduled event contains no data, and the next one does the same work.',
    });
    return rule.ruleName;
  }

  // CloudFormation invokes the function when it creates the stack, and the deployment fails if the function fails.
  #create(resourceType: string): CustomResource {
    const created = new CustomResource(this, 'Created', {
      serviceToken: this.function.functionArn,
      resourceType,
    });
    created.node.addDependency(...this.granted);
    return created;
  }
}

export interface ConsumerProps extends OperationProps {
  /** Receives the records that failed in every attempt, or were not processed in time. */
  readonly failedRecords: Bucket;
}

// A record that always fails holds up its shard until it is given up; an outage must be shorter, or records must be
// replayed. Lambda waits longer after each attempt.
const RETRIES = 50;

// The stream keeps records for 24 hours, and what it drops reaches no bucket.
const MOST_AGE = Duration.hours(23);

/** An operation that the table's stream invokes. Records that fail again and again are saved in a bucket. */
export class Consumer extends Operation {
  /** Identifies the mapping between the stream and the function. */
  readonly mappingId: string;

  constructor(scope: Construct, definition: ConsumerDefinition, props: ConsumerProps) {
    super(scope, definition, props);
    const { table, failedRecords } = props;
    const mapping = new lambda.EventSourceMapping(this, 'Stream', {
      target: this.function,
      eventSourceArn: table.streamArn,
      startingPosition: lambda.StartingPosition.TRIM_HORIZON,
      batchSize: definition.batchRecords,
      maxBatchingWindow: Duration.seconds(definition.windowSeconds),
      filters: [{ pattern: JSON.stringify(patternOf(definition)) }],
      // Otherwise one record that always fails holds up the records that arrive with it.
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: RETRIES,
      maxRecordAge: MOST_AGE,
      // More would process the records of one partition out of order.
      parallelizationFactor: 1,
      onFailure: { bind: () => ({ destination: failedRecords.bucketArn }) },
    });
    this.mappingId = mapping.eventSourceMappingId;
    const granted = this.#readStream(table.streamArn, failedRecords);
    mapping.node.addDependency(granted);
  }

  /** What Lambda does with the function's role before it invokes the function. */
  #readStream(streamArn: string, failedRecords: Bucket): iam.Policy {
    const policy = new iam.Policy(this, 'StreamPolicy', {
      statements: [
        allowed('dynamodb', ['DescribeStream', 'GetRecords', 'GetShardIterator'], [streamArn]),
        // This action supports no resource.
        allowed('dynamodb', ['ListStreams'], ['*']),
        allowed('s3', ['PutObject'], [failedRecords.arnForObjects('aws/lambda/*')]),
        allowed('s3', ['ListBucket'], [failedRecords.bucketArn]),
      ],
    });
    if (this.function.role !== undefined) policy.attachToRole(this.function.role);
    const bucketId = Stack.of(failedRecords).getLogicalId(failedRecords.node.defaultChild as CfnElement);
    Validations.of(policy).acknowledge(
      { id: 'AwsSolutions-IAM5[Resource::*]', reason: 'ListStreams supports no resource.' },
      {
        id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/aws/lambda/*]`,
        reason: 'Lambda names each object after the mapping, the shard and the time.',
      },
    );
    return policy;
  }
}

const KEPT_DAYS = 30;

/** The bucket for stream records that no consumer processed in time. A queue would get only their positions. */
export const failedRecordsBucket = (scope: Construct): Bucket =>
  newBucket(scope, 'FailedRecords', {
    lifecycleRules: [{ expiration: Duration.days(KEPT_DAYS) }],
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    unlogged:
      'Only Lambda writes to it, and only after a consumer has failed for a day; CloudTrail records who reads it.',
  });
