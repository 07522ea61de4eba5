import { join } from 'node:path';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { InvocationType, Trigger } from 'aws-cdk-lib/triggers';
import { Construct, type IDependable } from 'constructs';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import type { Grant, StackFunction, UserPoolAction } from '../../../contract/functions/grants.ts';
import type { EventBus } from '../event-bus.ts';
import type { SigningKey } from '../keys/signing-key.ts';
import type { VaultKey } from '../keys/vault-key.ts';
import type { SealedLog } from '../sealed-log.ts';
import { allowed, newLog } from '../shared.ts';
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
