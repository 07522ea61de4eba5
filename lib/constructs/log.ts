import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/**
 * A log group that outlives the stack, unless the deployment that creates it is rolled back. `days` is its retention;
 * without a name, CloudFormation generates one.
 */
export const newLog = (scope: Construct, id: string, days: number, logGroupName?: string): LogGroup =>
  new LogGroup(scope, id, {
    retention: days,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    ...(logGroupName === undefined ? {} : { logGroupName }),
  });
