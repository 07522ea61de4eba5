import type { Grant } from './grants.ts';

// What the operators' endpoints have in common.

const PROMPTS = '/api/admin/prompts';
const SECRETS = '/api/admin/secrets';
const KEYS = '/api/admin/api-keys';

export const PATHS = {
  prompts: PROMPTS,
  prompt: `${PROMPTS}/{promptId}`,
  versions: `${PROMPTS}/{promptId}/versions`,
  version: `${PROMPTS}/{promptId}/versions/{version}`,
  draft: `${PROMPTS}/{promptId}/draft`,
  label: `${PROMPTS}/{promptId}/labels/{label}`,
  callers: `${PROMPTS}/{promptId}/callers`,
  events: `${PROMPTS}/{promptId}/events`,
  deletedPrompts: '/api/admin/deleted-prompts',
  secrets: SECRETS,
  secret: `${SECRETS}/{secretId}`,
  deletedSecrets: '/api/admin/deleted-secrets',
  keys: KEYS,
  key: `${KEYS}/{keyId}`,
  audit: '/api/admin/audit',
  overview: '/api/admin/overview',
} as const;

export const VIEWER = { kind: 'operator', role: 'viewer' } as const;
export const EDITOR = { kind: 'operator', role: 'editor' } as const;
export const ADMIN = { kind: 'operator', role: 'admin' } as const;

/** Memory and time of what reads or writes a few rows, and of what reads many. */
export const FEW_ROWS = { memoryMb: 512, timeoutSeconds: 10 } as const;
export const MANY_ROWS = { memoryMb: 1024, timeoutSeconds: 20 } as const;

/** Rows that readers verify are signed. */
export const SIGN: readonly Grant[] = [{ on: 'signing-key', actions: ['Sign'] }];

/** A change of a prompt: its head is read, then written with an event and the audit entry. */
export const CHANGE_PROMPT: readonly Grant[] = [
  { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['prompt'] },
  { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  ...SIGN,
];

/**
 * A change of the vault: its head and pages are read, new pages are announced and written, then the head moves; what
 * lost a race is cleared away.
 */
export const CHANGE_VAULT: readonly Grant[] = [
  { on: 'table', actions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'], partitions: ['vault'] },
  { on: 'table', actions: ['GetItem', 'PutItem', 'DeleteItem'], partitions: ['vaultPage'] },
  { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  ...SIGN,
];

/** Replaces a value. The previous value is kept; at most ten are. */
export const REPLACE_VALUE: readonly Grant[] = [
  { on: 'table', actions: ['PutItem', 'Query', 'DeleteItem'], partitions: ['secret'] },
];

/** Values are sealed to the vault's public key. */
export const SEAL: readonly Grant[] = [{ on: 'table', actions: ['GetItem'], partitions: ['vaultKey'] }];

/** How often prompts were fetched is read off the counters of each day. */
export const READ_USAGE: readonly Grant[] = [{ on: 'table', actions: ['Query'], partitions: ['usage'] }];

/** Which secrets were released, and to which API keys. */
export const READ_VAULT_USE: readonly Grant[] = [
  { on: 'table', actions: ['Query'], partitions: ['vaultUse'] },
  { on: 'table', actions: ['GetItem'], partitions: ['vaultUseNames'] },
];

/** The API keys with their names. */
export const LIST_KEYS: readonly Grant[] = [{ on: 'index', partitions: ['apiKeys'] }];

/** Whether something is in use, and by which API keys. */
export const JUDGE_USE: readonly Grant[] = [
  { on: 'table', actions: ['Query'], partitions: ['usage', 'access'] },
  ...LIST_KEYS,
];

export const LIST_PROMPTS: readonly Grant[] = [{ on: 'index', partitions: ['prompts'] }];

/** The vault without its values. */
export const READ_VAULT: readonly Grant[] = [
  { on: 'table', actions: ['GetItem'], partitions: ['vault', 'vaultPage'] },
];
