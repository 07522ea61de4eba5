import type { CompanyProvider } from '../../contract/sign-in.ts';
/** The AWS account that a local instance simulates. */
export const REGION = 'local';
export const ACCOUNT = '000000000000';
export const TABLE_NAME = 'cuevault-local';

const keyArn = (id: string): string => `arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}`;
/** The stand-ins for the stack's KMS keys, by logical id. */
export const KEY_ARNS = {
  VaultKey: keyArn('cuevault-vault'),
  SigningKey: keyArn('cuevault-signing'),
} as const;

/** What else functions use here. */
export const RESOURCES = {
  sealedLog: 'sealed-log',
  eventBus: `arn:aws:events:${REGION}:${ACCOUNT}:event-bus/changes`,
  userPool: 'local_operators',
} as const;

/** The provider of a company's people. */
export const COMPANY_PROVIDER: CompanyProvider = {
  provider: 'Company-local',
  issuer: 'local',
  clientId: 'cuevault-company',
};
