/** The environment variables of the functions: the stack sets them, the store reads them. */
export const ENVIRONMENT = {
  operation: 'CUEVAULT_OPERATION',
  table: 'CUEVAULT_TABLE',
  stage: 'CUEVAULT_STAGE',
  accessDays: 'CUEVAULT_ACCESS_DAYS',
  auditDays: 'CUEVAULT_AUDIT_DAYS',
  readDays: 'CUEVAULT_READ_DAYS',
  publishRate: 'CUEVAULT_PUBLISH_RATE',
  /** Public keys that verify rows: base64 of DER, separated by spaces. The first is that of the signing key. */
  publicKeys: 'CUEVAULT_PUBLIC_KEYS',
  signingKeyArn: 'CUEVAULT_SIGNING_KEY_ARN',
  vaultKeyArn: 'CUEVAULT_VAULT_KEY_ARN',
  eventBus: 'CUEVAULT_EVENT_BUS',
  /** Names of the bus and of the rule that sends its events to the webhook, separated by `|`. Absent: no webhook. */
  webhookRule: 'CUEVAULT_WEBHOOK_RULE',
  /** Bucket of the sealed log. */
  sealedLog: 'CUEVAULT_SEALED_LOG',
  /** Name of the function of the job that the function starts. */
  job: 'CUEVAULT_JOB',
  /** Issuer of the access tokens of operators, their client, and the address of the public keys that verify them. */
  tokenIssuer: 'CUEVAULT_TOKEN_ISSUER',
  tokenClient: 'CUEVAULT_TOKEN_CLIENT',
  tokenKeys: 'CUEVAULT_TOKEN_KEYS',
  /** Their client at the company's door. Absent: there is none. */
  companyClient: 'CUEVAULT_COMPANY_CLIENT',
  /** The company's provider (`CompanyProvider`) as JSON. */
  companyProvider: 'CUEVAULT_COMPANY_PROVIDER',
  /** ARNs of the secrets of the admin site's distribution, separated by spaces. Absent: calls need none. */
  originSecrets: 'CUEVAULT_ORIGIN_SECRETS',
  /** Ids of the models of Amazon Bedrock that prompts can be tried on, separated by commas. Absent: none. */
  models: 'CUEVAULT_MODELS',
  /** On a laptop, in their place: an address that speaks OpenAI's chat completions, and its key. */
  modelUrl: 'CUEVAULT_MODEL_URL',
  modelKey: 'CUEVAULT_MODEL_KEY',
  /** Issuer of tokens on a laptop, the only one without https. */
  localIssuer: 'CUEVAULT_LOCAL_ISSUER',
  userPool: 'CUEVAULT_USER_POOL',
  operatorEmail: 'CUEVAULT_OPERATOR_EMAIL',
} as const;

/** Settings that every function receives. */
export interface Settings {
  readonly stage: string;
  /** Days that access entries and usage counters are kept. */
  readonly accessDays: number;
  /** Days that the table keeps audit entries of changes and refused calls, and the sealed log everything. */
  readonly auditDays: number;
  /** Days that the table keeps audit entries of reads of secrets, at most `auditDays`. */
  readonly readDays: number;
  /** Calls per second, averaged over ten, of each API key on all routes for code; 0 for any number. */
  readonly publishRate: number;
}

export const DEFAULT_SETTINGS: Settings = {
  stage: 'prod',
  accessDays: 90,
  auditDays: 400,
  readDays: 90,
  publishRate: 0,
};
