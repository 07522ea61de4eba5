import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { allowed } from '../shared.ts';
import { LIVE, type Operation } from './operation.ts';

/**
 * Shifts the calls of functions to a new version step by step: a tenth for five minutes, then all. CloudFormation starts
 * a shift when it updates an alias, not when it creates it, and rolls the whole update back if an alarm stops the shift.
 */
export class GradualDeployment extends Construct {
  /** The alarm rolls a function back to its previous version if it fires while calls shift to the new one. */
  constructor(scope: Construct, id: string, operations: readonly Operation[], alarm: cloudwatch.IAlarm) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    // Some of the actions are on the function, others on the alias. A reference to the alias would be a cycle.
    const targets = operations.flatMap(({ function: fn }) => [fn.functionArn, `${fn.functionArn}:${LIVE}`]);
    const shift = [
      allowed('lambda', ['GetAlias', 'UpdateAlias'], targets),
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
    for (const operation of operations) {
      new LambdaDeploymentGroup(this, operation.operationId, {
        application,
        // The deployment group would add AWSCodeDeployRoleForLambdaLimited, which moves every alias of the account.
        role: role.withoutPolicyUpdates(),
        alias: operation.live,
        alarms: [alarm],
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      });
    }
  }
}
