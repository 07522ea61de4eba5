import { join } from 'node:path';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../contract/environment.ts';
import type { Grant } from '../../contract/grants.ts';
import type { Table } from './table.ts';
import type { VaultKey } from './vault-key.ts';

/** What an endpoint and a job of the contract have in common. */
export interface OperationDefinition {
  readonly id: string;
  readonly summary: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly grants: readonly Grant[];
}

export interface OperationProps {
  readonly table: Table;
  readonly vaultKey: VaultKey;
  /** Folder with the bundle of each operation, `<operation id>/index.mjs`. */
  readonly assetRoot: string;
  /** Days that the function's log is kept. */
  readonly logDays: number;
}

/**
 * The function of one operation, with its log and a role that may write that log and do what the operation's grants
 * say, and nothing else. The id of the construct is the operation id.
 */
export class Operation extends Construct {
  readonly operationId: string;
  readonly function: lambda.Function;

  constructor(scope: Construct, definition: OperationDefinition, props: OperationProps) {
    super(scope, definition.id);
    this.operationId = definition.id;
    const logGroup = new LogGroup(this, 'Log', { retention: props.logDays });
    const role = new iam.Role(this, 'Role', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.function = new lambda.Function(this, 'Function', {
      description: definition.summary,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      handler: 'index.handler',
      code: lambda.Code.fromAsset(join(props.assetRoot, definition.id)),
      memorySize: definition.memoryMb,
      timeout: Duration.seconds(definition.timeoutSeconds),
      environment: { [ENVIRONMENT.operation]: definition.id },
      role,
      logGroup,
      loggingFormat: lambda.LoggingFormat.JSON,
      currentVersionOptions: { removalPolicy: RemovalPolicy.DESTROY },
    });
    for (const grant of definition.grants) {
      if (grant.on === 'vault-key') props.vaultKey.grant(this.function, grant.actions);
      else props.table.grant(this.function, grant);
    }
    this.#acknowledge();
  }

  #acknowledge(): void {
    Validations.of(this.function).acknowledge(
      {
        id: 'Serverless-LambdaTracing',
        reason:
          'One request id runs through the access log, the function log and the reply. Tracing would need xray actions on every resource.',
      },
      {
        id: 'Serverless-LambdaDLQ',
        reason:
          'Endpoints are called synchronously. The event of a job carries nothing: its alarm tells of a failure, and its next run starts afresh.',
      },
    );
  }
}
