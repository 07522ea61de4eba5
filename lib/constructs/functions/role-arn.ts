import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';

export const roleArn = ({ role, node }: LambdaFunction): string => {
  if (role === undefined) throw new Error(`The function ${node.path} has no role.`);
  return role.roleArn;
};
