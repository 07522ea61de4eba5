import type { Grant } from './functions/grants.ts';

// What the endpoints for operators share.

const PROMPTS = '/api/admin/prompts';
const SECRETS = '/api/admin/secrets';
const KEYS = '/api/admin/api-keys';
const OPERATORS = '/api/admin/operators';

export const PATHS = {
  prompts: PROMPTS,
  prompt: `${PROMPTS}/{promptId}`,
  versions: `${PROMPTS}/{promptId}/versions`,
  version: `${PROMPTS}/{promptId}/versions/{version}`,
  draft: `${PROMPTS}/{promptId}/draft`,
  examples: `${PROMPTS}/{promptId}/examples`,
  label: `${PROMPTS}/{promptId}/labels/{label}`,
  labelMoves: '/api/admin/label-moves',
  protectedLabel: '/api/admin/protected-labels/{label}',
  callers: `${PROMPTS}/{promptId}/callers`,
  events: `${PROMPTS}/{promptId}/events`,
  promptDeletions: '/api/admin/prompt-deletions',
  deletedPrompts: '/api/admin/deleted-prompts',
  secrets: SECRETS,
  secret: `${SECRETS}/{secretId}`,
  deletedSecrets: '/api/admin/deleted-secrets',
  vault: '/api/admin/vault',
  revisions: '/api/admin/vault/revisions',
  environments: '/api/admin/environments',
  rotation: '/api/admin/vault/rotation',
  keys: KEYS,
  key: `${KEYS}/{keyId}`,
  operators: OPERATORS,
  operator: `${OPERATORS}/{operatorId}`,
  session: '/api/admin/session',
  audit: '/api/admin/audit',
  overview: '/api/admin/overview',
} as const;

/** Memory and timeout of endpoints that read many rows. */
export const MANY_ROWS = { memoryMb: 1024, timeoutSeconds: 20 } as const;

/** Rows that readers verify are signed. */
export const SIGN: readonly Grant[] = [{ on: 'signing-key', actions: ['Sign'] }];

/** A change of a prompt: its head is read, then written with an event and the audit entry. */
export const CHANGE_PROMPT: readonly Grant[] = [
  { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['prompt'] },
  { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  ...SIGN,
];

/** A new version: the prompts that it includes know it. */
export const INCLUDE: readonly Grant[] = [{ on: 'table', actions: ['PutItem'], partitions: ['includedBy'] }];

/** A new prompt: all prompts are counted, and those of the API key that has created it, or the one before it. */
export const COUNT_PROMPTS: readonly Grant[] = [
  { on: 'table', actions: ['GetItem', 'UpdateItem'], partitions: ['promptCount'] },
  { on: 'table', actions: ['UpdateItem'], partitions: ['apiKeyUse'] },
];

/** Which prompts include one. */
export const JUDGE_INCLUDERS: readonly Grant[] = [
  { on: 'table', actions: ['Query'], partitions: ['includedBy'] },
  { on: 'table', actions: ['BatchGetItem'], partitions: ['prompt'] },
];

/** A change of labels: an editor changes only labels that are not protected, also at the time of the write. */
export const CHANGE_LABELS: readonly Grant[] = [
  { on: 'table', actions: ['GetItem', 'ConditionCheckItem'], partitions: ['labelProtection'] },
];

/** The same for operators: who changes a protected label must still be an administrator. */
export const OPERATOR_LABELS: readonly Grant[] = [
  ...CHANGE_LABELS,
  { on: 'table', actions: ['ConditionCheckItem'], partitions: ['operator'] },
];

/** A call that publishes from code: the keys of the issuer of a token are read; its last use and a refusal are recorded. */
export const NOTE_KEY: readonly Grant[] = [
  { on: 'table', actions: ['GetItem'], partitions: ['issuerKeys'] },
  { on: 'table', actions: ['UpdateItem'], partitions: ['apiKeyUse'] },
  { on: 'table', actions: ['PutItem'], partitions: ['auditRefusal'] },
];

/** The same, for a function that reads the API key alone. */
export const BY_KEY: readonly Grant[] = [
  { on: 'table', actions: ['GetItem'], partitions: ['apiKey'] },
  ...NOTE_KEY,
];

/** A change of the list of protected labels. */
export const PROTECT_LABELS: readonly Grant[] = [
  { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['labelProtection'] },
  { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  ...SIGN,
];

/**
 * A change of the vault: reads its head and pages, records the planned pages, writes them, then replaces the head.
 */
export const CHANGE_VAULT: readonly Grant[] = [
  { on: 'table', actions: ['GetItem', 'PutItem', 'DeleteItem'], partitions: ['vault'] },
  { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['vaultPage'] },
  { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  ...SIGN,
];

/** Replaces a value. The previous value is kept; at most ten are. */
export const REPLACE_VALUE: readonly Grant[] = [
  { on: 'table', actions: ['PutItem', 'Query', 'DeleteItem'], partitions: ['secret'] },
];

/** Decides whether a change lets restricted API keys read secrets that they cannot read now. */
const JUDGE_ACCESS: readonly Grant[] = [
  { on: 'table', actions: ['GetItem'], partitions: ['restrictions', 'apiKey'] },
];

/**
 * The same for a change, whose transaction checks that no such key has been created since, and that who has confirmed
 * more access is still an administrator.
 */
export const GUARD_ACCESS: readonly Grant[] = [
  ...JUDGE_ACCESS,
  { on: 'table', actions: ['ConditionCheckItem'], partitions: ['restrictions', 'operator'] },
];

/** Values are encrypted to the vault's public key. */
export const ENCRYPT_VALUES: readonly Grant[] = [
  { on: 'table', actions: ['GetItem'], partitions: ['vaultKey'] },
];

/** How often a prompt was fetched. */
export const READ_USAGE: readonly Grant[] = [{ on: 'table', actions: ['Query'], partitions: ['usage'] }];

/** The counters of failing calls. */
export const READ_FAILING: Grant = { on: 'table', actions: ['Query'], partitions: ['failing'] };

/** The rows of days, computed from all counters. */
export const READ_DAYS: readonly Grant[] = [{ on: 'table', actions: ['Query'], partitions: ['usageDays'] }];

/** Which secrets were released, and to which API keys. */
export const READ_VAULT_USE: readonly Grant[] = [
  ...READ_DAYS,
  { on: 'table', actions: ['GetItem'], partitions: ['vaultUseNames'] },
];

/** The API keys with their last uses. */
export const LIST_KEY_USES: readonly Grant[] = [{ on: 'index', partitions: ['apiKeys', 'watched'] }];

/** The API keys with their names. */
export const LIST_KEYS: readonly Grant[] = [{ on: 'index', partitions: ['apiKeys'] }];

/** Whether something is in use, and by which API keys. */
export const JUDGE_USE: readonly Grant[] = [
  { on: 'table', actions: ['Query'], partitions: ['usage', 'access'] },
  { on: 'table', actions: ['GetItem'], partitions: ['entryShards'] },
  ...LIST_KEYS,
];

export const LIST_PROMPTS: readonly Grant[] = [{ on: 'index', partitions: ['prompts'] }];

/** The vault without its values. */
export const READ_VAULT: readonly Grant[] = [
  { on: 'table', actions: ['GetItem'], partitions: ['vault', 'vaultPage'] },
];
