import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Fn, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
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

export const roleArn = ({ role, node }: LambdaFunction): string => {
  if (role === undefined) throw new Error(`The function ${node.path} has no role.`);
  return role.roleArn;
};

/** Denies the actions to every principal in the key's own policy; `conditions` limit whom it denies. */
export const denyEveryone = (
  key: kms.IKey,
  actions: string[],
  conditions: Record<string, unknown> = {},
): void => {
  key.addToResourcePolicy(
    new iam.PolicyStatement({
      effect: iam.Effect.DENY,
      principals: [new iam.AnyPrincipal()],
      actions,
      resources: ['*'],
      conditions,
    }),
  );
};

/**
 * A name for a resource whose name must be unique in the account across all regions: the parts of a distribution, and
 * dashboards. The names that CDK generates are the same for each stage or for each region.
 */
export const globalName = (scope: Construct): string => {
  const { stackName, region } = Stack.of(scope);
  return `${stackName}-${region}`;
};

/**
 * Eight hexadecimal digits of the stack's id, for names of resources that outlive their stack. The next stack of the
 * same name gets different ones.
 */
export const stackSuffix = (scope: Construct): string => {
  const stackUuid = Fn.select(2, Fn.split('/', Stack.of(scope).stackId));
  return Fn.select(0, Fn.split('-', stackUuid));
};
