import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { allowed } from '../shared.ts';
import { LIVE, type Operation } from './operation.ts';

export interface Guarded {
  readonly operation: Operation;
  /** Each rolls the function back to its previous version if it fires while calls shift to the new one. */
  readonly alarms: readonly cloudwatch.IAlarm[];
}

/**
 * Shifts the calls of functions to a new version step by step: a tenth for five minutes, then all. CloudFormation starts
 * a shift when it updates an alias, not when it creates it, and rolls the whole update back if an alarm stops the shift.
 */
export class GradualDeployment extends Construct {
  constructor(scope: Construct, id: string, guarded: readonly Guarded[]) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    // Some of the actions are on the function, others on the alias. A reference to the alias would be a cycle.
    const targets = guarded.flatMap(({ operation: { function: fn } }) => [
      fn.functionArn,
      `${fn.functionArn}:${LIVE}`,
    ]);
    const shift = [
      allowed('lambda', ['GetAlias', 'UpdateAlias', 'GetProvisionedConcurrencyConfig'], targets),
      allowed('cloudwatch', ['DescribeAlarms'], ['*']),
    ];
    const role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('codedeploy.amazonaws.com'),
      inlinePolicies: { Shift: new iam.PolicyDocument({ statements: shift }) },
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'It reads the state of alarms, for which CodeDeploy names no resource.',
    });
    for (const { operation, alarms } of guarded) {
      new LambdaDeploymentGroup(this, operation.operationId, {
        application,
        // The deployment group would add AWSCodeDeployRoleForLambdaLimited, which moves every alias of the account.
        role: role.withoutPolicyUpdates(),
        alias: operation.live,
        alarms: [...alarms],
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      });
    }
  }
}
