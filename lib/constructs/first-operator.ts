import type { Construct } from 'constructs';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { FIRST_OPERATOR } from '../../contract/functions/triggers.ts';
import { Operation, type OperationProps } from './functions/operation.ts';

/**
 * Invites the first operator after a deployment. A function does this because a user created by CloudFormation gets no
 * password if passkeys are enabled, and cannot be renamed or changed later.
 */
export class FirstOperator extends Operation {
  constructor(scope: Construct, email: string, props: OperationProps) {
    super(scope, FIRST_OPERATOR, props);
    this.function.addEnvironment(ENVIRONMENT.operatorEmail, email);
    this.runAfterDeployment(props.table.resource);
  }
}
