/** The one table: its keys, its index and its time-to-live attribute. */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  ttl: 'ttl',
  index: {
    name: 'gsi1',
    partitionKey: 'gsi1pk',
    sortKey: 'gsi1sk',
    /** Besides the keys: what a list shows of a row, packed into one text; and those of counters. */
    included: ['listed', 'count', 'lastAt', 'failingSince', 'lastCall'],
  },
} as const;

/**
 * The partition keys of each entity. One that ends in `#` is a prefix; the others are entire keys. The store builds
 * its keys from them, and the stack limits each function to them.
 */
export const PARTITIONS = {
  prompt: 'PROMPT#',
  promptPurge: 'PROMPT-PURGE',
  promptCount: 'PROMPT-COUNT',
  includedBy: 'INCLUDED-BY#',
  labelProtection: 'LABEL-PROTECTION',
  operator: 'OPERATOR#',
  operatorIdentity: 'IDENTITY#',
  operatorAddress: 'ADDRESS#',
  signIns: 'SIGN-INS',
  access: 'ACCESS#',
  entryShards: 'ENTRY-SHARDS#',
  failed: 'FAILED#',
  failing: 'FAIL#',
  failingEvents: 'FAIL-EVENTS',
  usage: 'USE#',
  usageDays: 'DAYS',
  recentFetches: 'RECENT',
  vault: 'VAULT#',
  vaultPage: 'VAULTPAGE#',
  vaultKey: 'VAULTKEY#',
  secret: 'SECRET#',
  vaultUse: 'VAULTUSE#',
  vaultUseNames: 'VAULTNAMES#',
  apiKey: 'APIKEY#',
  apiKeyUse: 'APIKEYUSE#',
  auditChange: 'AUDIT-CHANGE#',
  auditRead: 'AUDIT-READ#',
  format: 'FORMAT',
  auditRefusal: 'AUDIT-REFUSED#',
  restrictions: 'RESTRICTIONS',
  questions: 'QUESTIONS#',
  issuerKeys: 'ISSUER-KEYS#',
  auditSeal: 'AUDIT-SEAL',
} as const;

/** Partition keys of the index, which serves lists only. One that ends in `#` is a prefix. */
export const INDEX_PARTITIONS = {
  prompts: 'PROMPTS',
  deletedPrompts: 'DELETED-PROMPTS',
  drafts: 'DRAFTS',
  apiKeys: 'APIKEYS',
  operators: 'OPERATORS',
  usageOfKey: 'USEKEY#',
  /** The hours of failing calls, then the last use of each API key. */
  watched: 'WATCHED',
} as const;

export type Partition = keyof typeof PARTITIONS;
export type IndexPartition = keyof typeof INDEX_PARTITIONS;

export type TableAction =
  | 'Query'
  | `${'Get' | 'BatchGet' | 'Put' | 'Update' | 'Delete' | 'ConditionCheck'}Item`;

/** The grant of actions on rows of the table. */
export const onTable = (
  actions: TableAction | readonly TableAction[],
  ...partitions: readonly Partition[]
) => ({ on: 'table' as const, actions: [actions].flat(), partitions });

/** Follows the name of the table in the name of a copy of it that the export functions may read. */
export const RESTORED = '-restored-';

/** The grant of queries of partitions of the index. */
export const onIndex = (...partitions: readonly IndexPartition[]) => ({ on: 'index' as const, partitions });
