import type { Endpoint } from '../../contract/endpoint.ts';
import { DEFAULT_SETTINGS, ENVIRONMENT } from '../../contract/functions/environment.ts';
import { type Grant, leadingKeyPattern, type StackFunction } from '../../contract/functions/grants.ts';
import { COMPANY_PRE_TOKEN } from '../../contract/functions/triggers.ts';
import { INDEX_PARTITIONS, PARTITIONS } from '../../contract/table.ts';
import { COMPANY_PROVIDER, KEY_ARNS, RESOURCES, TABLE_NAME } from '../aws/account.ts';
import { type Permissions, QUERY_INDEX } from './accesses.ts';

type Variables = Readonly<Record<string, string>>;

/** A function of the contract. Endpoints say who may call them. */
export type LocalDefinition = StackFunction & Partial<Pick<Endpoint, 'access'>>;

/** What functions verify with. */
export interface Verifying {
  /** Public key of the signing key, as base64 of DER. */
  readonly publicKey: string;
  /** Of the access tokens of operators, and who issues those of workloads. */
  readonly tokens: {
    readonly issuer: string;
    readonly audience: string;
    readonly companyAudience?: string;
    readonly keysAt: string;
    readonly workloadIssuer?: string;
  };
  /** @default - any number of calls from code */
  readonly publishRate?: number | undefined;
  /** @default - prompts are not tried on a model */
  readonly model?: { readonly url: string; readonly key: string | undefined } | undefined;
}

const { stage: _, ...settings } = DEFAULT_SETTINGS;
const STAGE: Variables = { [ENVIRONMENT.stage]: 'local' };
const ON_TABLE: Variables = {
  ...STAGE,
  [ENVIRONMENT.table]: TABLE_NAME,
  ...Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      ENVIRONMENT[name as keyof typeof settings],
      String(value),
    ]),
  ),
};

/** What a grant is on here, and the environment variables that lead there. */
const locally = (grant: Grant, publicKey: string): { on: readonly string[]; variables: Variables } => {
  const one = (on: string, variables: Variables) => ({ on: [on], variables });
  switch (grant.on) {
    case 'table':
      return {
        on: grant.partitions.map((name) => leadingKeyPattern(PARTITIONS[name])),
        variables: { ...ON_TABLE, [ENVIRONMENT.publicKeys]: publicKey },
      };
    case 'index':
      return {
        on: grant.partitions.map((name) => leadingKeyPattern(INDEX_PARTITIONS[name])),
        variables: ON_TABLE,
      };
    case 'vault-key':
      return one(KEY_ARNS.VaultKey, { ...STAGE, [ENVIRONMENT.vaultKeyArn]: KEY_ARNS.VaultKey });
    case 'signing-key':
      return one(KEY_ARNS.SigningKey, { [ENVIRONMENT.signingKeyArn]: KEY_ARNS.SigningKey });
    case 'event-bus':
      return one(RESOURCES.eventBus, { ...STAGE, [ENVIRONMENT.eventBus]: RESOURCES.eventBus });
    case 'sealed-log':
      return one(RESOURCES.sealedLog, { [ENVIRONMENT.sealedLog]: RESOURCES.sealedLog });
    case 'user-pool':
      return one(RESOURCES.userPool, { [ENVIRONMENT.userPool]: RESOURCES.userPool });
    case 'metrics':
      return one('*', STAGE);
    case 'job':
      return one(grant.job, { [ENVIRONMENT.job]: grant.job });
  }
};

const SERVICES = {
  table: 'dynamodb',
  'vault-key': 'kms',
  'signing-key': 'kms',
  'event-bus': 'events',
  'sealed-log': 's3',
  'user-pool': 'cognito-idp',
  metrics: 'cloudwatch',
  job: 'lambda',
} as const;

const actionsOf = (grant: Grant): string[] =>
  grant.on === 'index' ? [QUERY_INDEX] : grant.actions.map((action) => `${SERVICES[grant.on]}:${action}`);

/** What a function with these grants may do. */
export const permissionsOf = (grants: readonly Grant[]): Permissions => {
  const permissions: Record<string, readonly string[]> = {};
  for (const grant of grants)
    for (const action of actionsOf(grant))
      permissions[action] = [...(permissions[action] ?? []), ...locally(grant, '').on];
  return permissions;
};

/** The environment variables that lead to what the grants are on. */
export const variablesOf = (grants: readonly Grant[], publicKey: string): Record<string, string> =>
  Object.assign({}, ...grants.map((grant) => locally(grant, publicKey).variables));

/** The environment variables that the stack gives a function, with what replaces its resources here. */
export const environmentOf = (
  { id, grants, access }: LocalDefinition,
  { publicKey, tokens, publishRate, model }: Verifying,
): Record<string, string> => ({
  [ENVIRONMENT.operation]: id,
  ...variablesOf(grants, publicKey),
  ...(publishRate !== undefined && { [ENVIRONMENT.publishRate]: String(publishRate) }),
  ...(model !== undefined &&
    id === 'prompts-try' && {
      [ENVIRONMENT.modelUrl]: model.url,
      ...(model.key && { [ENVIRONMENT.modelKey]: model.key }),
    }),
  ...(access?.kind === 'operator' && {
    [ENVIRONMENT.tokenIssuer]: tokens.issuer,
    [ENVIRONMENT.tokenClient]: tokens.audience,
    ...(tokens.companyAudience && { [ENVIRONMENT.companyClient]: tokens.companyAudience }),
    [ENVIRONMENT.tokenKeys]: tokens.keysAt,
  }),
  ...(id === COMPANY_PRE_TOKEN.id && { [ENVIRONMENT.companyProvider]: JSON.stringify(COMPANY_PROVIDER) }),
  ...(tokens.workloadIssuer !== undefined &&
    [id, ...grants.map((grant) => grant.on === 'job' && grant.job)].includes('issuer-keys') && {
      [ENVIRONMENT.localIssuer]: tokens.workloadIssuer,
    }),
});
