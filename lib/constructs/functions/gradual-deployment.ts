import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Operation } from './operation.ts';

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
    // The deployment group adds AWSCodeDeployRoleForLambdaLimited, which AWS keeps up to date with the service.
    const role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('codedeploy.amazonaws.com'),
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason:
        'Only CodeDeploy can use the role. It moves aliases and reads alarms; it can read neither code nor data.',
    });
    for (const { operation, alarms } of guarded) {
      new LambdaDeploymentGroup(this, operation.operationId, {
        application,
        role,
        alias: operation.live,
        alarms: [...alarms],
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      });
    }
  }
}
