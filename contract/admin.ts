import type { Grant } from './functions/grants.ts';
import { onIndex, onTable } from './table.ts';

// What the endpoints for operators share.

const PROMPTS = '/api/admin/prompts';
const SECRETS = '/api/admin/secrets';
const KEYS = '/api/admin/api-keys';
const OPERATORS = '/api/admin/operators';

export const PATHS = {
  prompts: PROMPTS,
  prompt: `${PROMPTS}/{promptId}`,
  promptSources: '/api/admin/prompt-sources',
  versions: `${PROMPTS}/{promptId}/versions`,
  version: `${PROMPTS}/{promptId}/versions/{version}`,
  draft: `${PROMPTS}/{promptId}/draft`,
  examples: `${PROMPTS}/{promptId}/examples`,
  label: `${PROMPTS}/{promptId}/labels/{label}`,
  labelMoves: '/api/admin/label-moves',
  protectedLabel: '/api/admin/protected-labels/{label}',
  effects: '/api/admin/effects',
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
  onTable(['GetItem', 'PutItem'], 'prompt'),
  onTable('PutItem', 'auditChange'),
  ...SIGN,
];

/** A new version: the prompts that it includes know it. */
export const INCLUDE: readonly Grant[] = [onTable('PutItem', 'includedBy')];

/** A new prompt: all prompts are counted, and those of the API key that has created it, or the one before it. */
export const COUNT_PROMPTS: readonly Grant[] = [
  onTable(['GetItem', 'UpdateItem'], 'promptCount'),
  onTable('UpdateItem', 'apiKeyUse'),
];

/** Which prompts include one. */
export const JUDGE_INCLUDERS: readonly Grant[] = [
  onTable('Query', 'includedBy'),
  onTable('BatchGetItem', 'prompt'),
];

/** A change of labels: an editor changes only labels that are not protected, also at the time of the write. */
export const CHANGE_LABELS: readonly Grant[] = [
  onTable(['GetItem', 'ConditionCheckItem'], 'labelProtection'),
];

/** A call that publishes from code: the keys of the issuer of a token are read; its last use and a refusal are recorded. */
export const NOTE_KEY: readonly Grant[] = [
  onTable('GetItem', 'issuerKeys'),
  onTable('UpdateItem', 'apiKeyUse'),
  onTable('PutItem', 'auditRefusal'),
];

/** The same, for a function that reads the API key alone. */
export const BY_KEY: readonly Grant[] = [onTable('GetItem', 'apiKey'), ...NOTE_KEY];

/** A change of the list of protected labels. */
export const PROTECT_LABELS: readonly Grant[] = [
  onTable(['GetItem', 'PutItem'], 'labelProtection'),
  onTable('PutItem', 'auditChange'),
  ...SIGN,
];

/**
 * A change of the vault: reads its head and pages, records the planned pages, writes them, then replaces the head.
 */
export const CHANGE_VAULT: readonly Grant[] = [
  onTable(['GetItem', 'PutItem', 'DeleteItem'], 'vault'),
  onTable(['GetItem', 'PutItem'], 'vaultPage'),
  onTable('PutItem', 'auditChange'),
  ...SIGN,
];

/** Replaces a value. The previous value is kept; at most ten are. */
export const REPLACE_VALUE: readonly Grant[] = [onTable(['PutItem', 'Query', 'DeleteItem'], 'secret')];

/** Decides whether a change lets restricted API keys read secrets that they cannot read now. */
const JUDGE_ACCESS: readonly Grant[] = [onTable('GetItem', 'restrictions', 'apiKey')];

/** The same for a change, whose transaction checks that no such key has been created since. */
export const GUARD_ACCESS: readonly Grant[] = [
  ...JUDGE_ACCESS,
  onTable('ConditionCheckItem', 'restrictions'),
];

/** Values are encrypted to the vault's public key. */
export const ENCRYPT_VALUES: readonly Grant[] = [onTable('GetItem', 'vaultKey')];

/** How often a prompt was fetched. */
export const READ_USAGE: readonly Grant[] = [onTable('Query', 'usage')];

/** The counters of failing calls. */
export const READ_FAILING: Grant = onTable('Query', 'failing');

/** The rows of days, computed from all counters. */
export const READ_DAYS: readonly Grant[] = [onTable('Query', 'usageDays')];

/** Which secrets were released, and to which API keys. */
export const READ_VAULT_USE: readonly Grant[] = [...READ_DAYS, onTable('GetItem', 'vaultUseNames')];

/** The API keys with their last uses. */
export const LIST_KEY_USES: readonly Grant[] = [onIndex('apiKeys', 'watched')];

/** The API keys with their names. */
export const LIST_KEYS: readonly Grant[] = [onIndex('apiKeys')];

/** Whether something is in use, and by which API keys. */
export const JUDGE_USE: readonly Grant[] = [
  onTable('Query', 'usage', 'access'),
  onTable('GetItem', 'entryShards'),
  ...LIST_KEYS,
];

export const LIST_PROMPTS: readonly Grant[] = [onIndex('prompts')];

/** The vault without its values. */
export const READ_VAULT: readonly Grant[] = [onTable('GetItem', 'vault', 'vaultPage')];
