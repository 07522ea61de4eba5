import { Fn, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

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
