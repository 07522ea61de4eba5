import * as iam from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { Fn, Lazy, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
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

/** A private bucket. `unlogged` says why it needs no log of accesses. */
export const newBucket = (
  scope: Construct,
  id: string,
  { unlogged: reason, ...props }: s3.BucketProps & { readonly unlogged: string },
): s3.Bucket => {
  const bucket = new s3.Bucket(scope, id, {
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    encryption: s3.BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    ...props,
  });
  Validations.of(bucket).acknowledge({ id: 'AwsSolutions-S1', reason });
  return bucket;
};

export const roleArn = ({ role, node }: LambdaFunction): string => {
  if (role === undefined) throw new Error(`The function ${node.path} has no role.`);
  return role.roleArn;
};

type Conditions = Record<string, unknown>;

/** Allows actions of a service on resources. */
export const allowed = (
  service: string,
  names: readonly string[],
  resources: string[],
  conditions: Conditions = {},
): iam.PolicyStatement =>
  new iam.PolicyStatement({ actions: names.map((name) => `${service}:${name}`), resources, conditions });

/** Denies actions to every principal, in the policy of a resource; `conditions` limit whom it denies. */
export const deniedToAll = (
  actions: string[],
  conditions: Conditions = {},
  resource = '*',
): iam.PolicyStatement =>
  new iam.PolicyStatement({
    effect: iam.Effect.DENY,
    principals: [new iam.AnyPrincipal()],
    actions,
    resources: [resource],
    conditions,
  });

/** The condition that a principal is none of these roles, of which a collection may grow until the end of synthesis. */
export const isNoneOf = (roles: Iterable<string>, ...others: string[]): Conditions => ({
  ArnNotEquals: { 'aws:PrincipalArn': Lazy.list({ produce: () => [...roles, ...others] }) },
});

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
