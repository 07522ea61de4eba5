import { ACCOUNT, REGION } from '../../../local/aws/account.ts';

// The ARNs of the stand-ins of a local instance.

export const tableArn = (name: string): string => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`;
export const functionArn = (name: string): string => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;
export const bucketArn = (name: string): string => `arn:aws:s3:::${name}`;
export const userPoolArn = (id: string): string => `arn:aws:cognito-idp:${REGION}:${ACCOUNT}:userpool/${id}`;
export const roleArn = (name: string): string => `arn:aws:iam::${ACCOUNT}:role/${name}`;

/** The account as a principal: in a key policy it delegates to identity policies. */
export const ACCOUNT_PRINCIPAL = `arn:aws:iam::${ACCOUNT}:root`;
