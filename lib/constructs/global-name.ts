import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/**
 * A name for what must have one that is unique in the account, all regions included: the parts of a distribution, and a
 * dashboard. The names that CDK makes up are the same for each stage or for each region.
 */
export const globalName = (scope: Construct): string => {
  const { stackName, region } = Stack.of(scope);
  return `${stackName}-${region}`;
};
