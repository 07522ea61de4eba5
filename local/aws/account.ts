/** The AWS account that a local instance simulates. */
export const REGION = 'local';
export const ACCOUNT = '000000000000';
export const TABLE_NAME = 'cuevault-local';

export const tableArn = (name: string): string => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`;
export const functionArn = (name: string): string => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;
export const bucketArn = (name: string): string => `arn:aws:s3:::${name}`;
export const userPoolArn = (id: string): string => `arn:aws:cognito-idp:${REGION}:${ACCOUNT}:userpool/${id}`;
export const keyArn = (id: string): string => `arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}`;
/** The stand-ins for the stack's KMS keys, by logical id. */
export const KEY_ARNS = {
  VaultKey: keyArn('cuevault-vault'),
  SigningKey: keyArn('cuevault-signing'),
} as const;
export const roleArn = (name: string): string => `arn:aws:iam::${ACCOUNT}:role/${name}`;

/** The account as a principal: in a key policy it delegates to identity policies. */
export const ACCOUNT_PRINCIPAL = `arn:aws:iam::${ACCOUNT}:root`;
