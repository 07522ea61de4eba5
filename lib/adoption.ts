import { CfnUserPool } from 'aws-cdk-lib/aws-cognito';
import { CfnGlobalTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnKey } from 'aws-cdk-lib/aws-kms';
import { CfnBucketPolicy } from 'aws-cdk-lib/aws-s3';
import type { Stack } from 'aws-cdk-lib/core';
import { SEALED_LOG } from './constructs/sealed-log.ts';

/** Stands in for the roles that may use the keys or write to the table: until the deployment, nobody may. */
const NOBODY = 'arn:aws:iam::000000000000:role/nobody';

const withoutRoles = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...new Set(value.map(withoutRoles))];
  if (typeof value !== 'object' || value === null) return value;
  if ('Fn::GetAtt' in value) return [value['Fn::GetAtt']].flat()[0] === SEALED_LOG ? value : NOBODY;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutRoles(part)]));
};

/**
 * Makes the resources that outlive a stack independent of all others, so that `cdk import` can bring them into a new
 * stack, where nothing else exists yet. An import changes no resource; the deployment that follows completes them.
 */
export const prepareAdoption = (stack: Stack): void => {
  for (const node of stack.node.findAll()) {
    if (node instanceof CfnKey)
      node.addPropertyOverride('KeyPolicy', withoutRoles(stack.resolve(node.keyPolicy)));
    if (node instanceof CfnBucketPolicy)
      node.addPropertyOverride('PolicyDocument', withoutRoles(stack.resolve(node.policyDocument)));
    if (node instanceof CfnGlobalTable)
      node.addPropertyOverride(
        'Replicas.0.ResourcePolicy.PolicyDocument',
        withoutRoles(stack.resolve(node.replicas)[0].resourcePolicy.policyDocument),
      );
    if (node instanceof CfnUserPool)
      for (const name of ['LambdaConfig', 'AdminCreateUserConfig']) node.addPropertyDeletionOverride(name);
  }
};
