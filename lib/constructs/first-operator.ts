import type { IUserPool } from 'aws-cdk-lib/aws-cognito';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct, IDependable } from 'constructs';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { FIRST_OPERATOR } from '../../contract/functions/triggers.ts';
import { Operation, type OperationProps } from './functions/operation.ts';

export interface FirstOperatorProps {
  readonly email: string;
  readonly pool: IUserPool;
  /** The groups of the pool. */
  readonly groups: readonly IDependable[];
  readonly shared: OperationProps;
}

/**
 * Invites the first operator after a deployment. A function does this because a user created by CloudFormation gets no
 * password if passkeys are enabled, and cannot be renamed or changed later.
 */
export class FirstOperator extends Operation {
  constructor(scope: Construct, { email, pool, groups, shared }: FirstOperatorProps) {
    super(scope, FIRST_OPERATOR, shared);
    const actions = ['ListUsersInGroup', 'AdminCreateUser', 'AdminAddUserToGroup'];
    this.function.addToRolePolicy(
      new iam.PolicyStatement({
        actions: actions.map((action) => `cognito-idp:${action}`),
        resources: [pool.userPoolArn],
      }),
    );
    this.function
      .addEnvironment(ENVIRONMENT.userPool, pool.userPoolId)
      .addEnvironment(ENVIRONMENT.operatorEmail, email);
    this.runAfterDeployment(...groups);
  }
}
