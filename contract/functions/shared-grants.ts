import { onIndex, onTable } from '../table.ts';
import type { Grant } from './grants.ts';

/** Rows that readers verify are signed. */
export const SIGN: Grant = { on: 'signing-key', actions: ['Sign'] };

/** The audit entry of a change. */
export const AUDIT_CHANGE = onTable('PutItem', 'auditChange');

/** A change of a prompt: its head is read, then written with an event and the audit entry. */
export const CHANGE_PROMPT = [onTable(['GetItem', 'PutItem'], 'prompt'), AUDIT_CHANGE, SIGN];

/** A new version: the prompts that it includes know it. */
export const INCLUDE = onTable('PutItem', 'includedBy');

/** A new prompt: all prompts are counted, and those of the API key that has created it, or the one before it. */
export const COUNT_PROMPTS = [
  onTable(['GetItem', 'UpdateItem'], 'promptCount'),
  onTable('UpdateItem', 'apiKeyUse'),
];

/** Which prompts include one. */
export const JUDGE_INCLUDERS = [onTable('Query', 'includedBy'), onTable('BatchGetItem', 'prompt')];

/** A change of labels: an editor changes only labels that are not protected, also at the time of the write. */
export const CHANGE_LABELS = onTable(['GetItem', 'ConditionCheckItem'], 'labelProtection');

/** A call that publishes from code: the keys of the issuer of a token are read; its last use and a refusal are recorded. */
export const NOTE_KEY = [
  onTable('GetItem', 'issuerKeys'),
  onTable('UpdateItem', 'apiKeyUse'),
  onTable('PutItem', 'auditRefusal'),
];

/** The same, for a function that reads the API key alone. */
export const BY_KEY = [onTable('GetItem', 'apiKey'), ...NOTE_KEY];

/** A change of the list of protected labels. */
export const PROTECT_LABELS = [onTable(['GetItem', 'PutItem'], 'labelProtection'), AUDIT_CHANGE, SIGN];

/**
 * A change of the vault: reads its head and pages, records the planned pages, writes them, then replaces the head.
 */
export const CHANGE_VAULT = [
  onTable(['GetItem', 'PutItem', 'DeleteItem'], 'vault'),
  onTable(['GetItem', 'PutItem'], 'vaultPage'),
  AUDIT_CHANGE,
  SIGN,
];

/** Replaces a value. The previous value is kept; at most ten are. */
export const REPLACE_VALUE = onTable(['PutItem', 'Query', 'DeleteItem'], 'secret');

/**
 * Decides whether a change lets restricted API keys read secrets that they cannot read now; its transaction checks that
 * no such key has been created since.
 */
export const GUARD_ACCESS = [
  onTable('GetItem', 'restrictions', 'apiKey'),
  onTable('ConditionCheckItem', 'restrictions'),
];

/** Values are encrypted to the vault's public key. */
export const ENCRYPT_VALUES = onTable('GetItem', 'vaultKey');

/** How often a prompt was fetched. */
export const READ_USAGE = onTable('Query', 'usage');

/** The counters of failing calls. */
export const READ_FAILING = onTable('Query', 'failing');

/** The rows of days, computed from all counters. */
export const READ_DAYS = onTable('Query', 'usageDays');

/** Which secrets were released, and to which API keys. */
export const READ_VAULT_USE = [READ_DAYS, onTable('GetItem', 'vaultUseNames')];

/** The API keys with their last uses. */
export const LIST_KEY_USES = onIndex('apiKeys', 'watched');

/** The API keys with their names. */
export const LIST_KEYS = onIndex('apiKeys');

/** Whether something is in use, and by which API keys. */
export const JUDGE_USE = [onTable('Query', 'usage', 'access'), onTable('GetItem', 'entryShards'), LIST_KEYS];

export const LIST_PROMPTS = onIndex('prompts');

/** The vault without its values. */
export const READ_VAULT = onTable('GetItem', 'vault', 'vaultPage');

/** The open invitation of an address. */
export const FIND_INVITATION = onTable('GetItem', 'operator', 'operatorAddress');

/** The user of Cognito who belongs to an operator, and whether they have signed in. */
export const READ_USERS: readonly Grant[] = [
  onIndex('operators'),
  onTable('BatchGetItem', 'operator'),
  { on: 'user-pool', actions: ['ListUsers'] },
];

/** The first sign-in of a person takes the invitation, later ones read what it wrote. */
export const BIND_PERSON = [
  onTable(['GetItem', 'PutItem'], 'operator', 'operatorAddress', 'operatorIdentity'),
  AUDIT_CHANGE,
  SIGN,
];

/** Invites an operator: a user, then the row. A user without a row gets a temporary password. */
export const INVITE: readonly Grant[] = [
  onTable(['GetItem', 'PutItem'], 'operator', 'operatorAddress'),
  AUDIT_CHANGE,
  SIGN,
  {
    on: 'user-pool',
    actions: [
      'AdminGetUser',
      'AdminCreateUser',
      'AdminEnableUser',
      'AdminSetUserPassword',
      'AdminSetUserMFAPreference',
      'AdminUserGlobalSignOut',
    ],
  },
];

/** Two administrators who demote each other at once must not both succeed. */
export const REQUIRE_ACTOR = onTable('ConditionCheckItem', 'operator');

/** Changes an operator: like an invitation, and the user can be disabled. */
export const CHANGE_OPERATOR: readonly Grant[] = [
  ...INVITE,
  { on: 'user-pool', actions: ['AdminDisableUser'] },
];

/** All values are read and opened, and who read them; each question is in the audit log. */
export const COMPARE_VALUES: readonly Grant[] = [
  onTable('GetItem', 'vault', 'vaultPage', 'vaultKey'),
  onTable('Query', 'vault', 'secret', 'auditChange'),
  ...READ_VAULT_USE,
  LIST_KEYS,
  { on: 'vault-key', actions: ['Decrypt'] },
  AUDIT_CHANGE,
  onTable('UpdateItem', 'questions'),
];
