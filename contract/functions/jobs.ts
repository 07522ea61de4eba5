import { onIndex, onTable } from '../table.ts';
import type { StackFunction } from './grants.ts';
import { AUDIT_CHANGE, LIST_KEYS, LIST_PROMPTS, READ_VAULT, READ_VAULT_USE, SIGN } from './shared-grants.ts';

/** A function without a route: a schedule invokes it, a deployment if configured, or a command. */
export interface Job extends StackFunction {
  /** @default - only a command invokes it */
  readonly everyMinutes?: number;
  /** How often a laptop runs it instead, where nothing is billed. @default - everyMinutes */
  readonly everySecondsLocally?: number;
  readonly afterDeployment: boolean;
  /** The type of a resource that the function creates with the stack, and never again. */
  readonly creates?: string;
}

const DAY_MINUTES = 24 * 60;

/** CloudFormation's type for the vault, which a first deployment creates. */
const VAULT_RESOURCE = 'Custom::CuevaultVault';

/** Maximum age of a key pair of the vault, in days. */
export const VAULT_KEY_DAYS = 90;

export const JOBS: readonly Job[] = [
  {
    id: 'vault-rotate',
    summary:
      'Creates the vault with the first deployment, replaces its key pair when it reaches its maximum age, re-encrypts values from older key pairs, and removes unused ones.',
    everyMinutes: DAY_MINUTES,
    afterDeployment: true,
    creates: VAULT_RESOURCE,
    timeoutSeconds: 900,
    memoryMb: 1024,
    grants: [
      onTable(['GetItem', 'Query', 'PutItem', 'DeleteItem'], 'vault'),
      onTable(['GetItem', 'Query', 'PutItem', 'DeleteItem'], 'vaultKey', 'secret'),
      onTable(['GetItem', 'PutItem'], 'vaultPage'),
      onTable(['GetItem', 'PutItem'], 'format'),
      onTable('PutItem', 'auditChange', 'labelProtection', 'restrictions'),
      { on: 'vault-key', actions: ['Decrypt', 'GenerateDataKeyPairWithoutPlaintext'] },
      SIGN,
    ],
  },
  {
    id: 'table-purge',
    summary:
      'Permanently removes what was deleted or replaced more than eight days ago, and counts the prompts.',
    everyMinutes: DAY_MINUTES,
    afterDeployment: false,
    timeoutSeconds: 900,
    memoryMb: 512,
    grants: [
      onTable('GetItem', 'prompt', 'vault', 'vaultPage'),
      onTable('Query', 'prompt', 'promptPurge', 'vault', 'secret'),
      onTable('PutItem', 'prompt', 'promptCount'),
      onTable('UpdateItem', 'apiKeyUse'),
      LIST_PROMPTS,
      onTable('DeleteItem', 'prompt', 'promptPurge', 'includedBy', 'vault', 'vaultPage', 'secret'),
      SIGN,
    ],
  },
  {
    id: 'usage-days',
    summary:
      'Computes how often prompts were fetched and secrets were read on recent days, from the counters, and tells when all readers have received the new value of a secret.',
    everyMinutes: 5,
    everySecondsLocally: 5,
    afterDeployment: false,
    timeoutSeconds: 600,
    memoryMb: 1024,
    grants: [
      onIndex('watched', 'usageOfKey'),
      onTable('Query', 'vaultUse', 'auditChange'),
      onTable('PutItem', 'usageDays', 'auditChange'),
      READ_VAULT,
      ...READ_VAULT_USE,
      LIST_KEYS,
      onTable(['BatchGetItem', 'UpdateItem'], 'recentFetches'),
    ],
  },
  {
    id: 'audit-seal',
    summary:
      'Copies new audit entries to the sealed log, where nobody can change or remove them, in one signed chain.',
    everyMinutes: 15,
    afterDeployment: false,
    timeoutSeconds: 900,
    memoryMb: 1769,
    grants: [
      onTable('Query', 'auditChange', 'auditRead', 'auditRefusal'),
      onTable(['GetItem', 'PutItem'], 'auditSeal'),
      onTable('GetItem', 'entryShards'),
      AUDIT_CHANGE,
      { on: 'sealed-log', actions: ['GetObject', 'PutObject', 'ListBucket'] },
      SIGN,
    ],
  },
  {
    id: 'issuer-keys',
    summary:
      'Fetches the public keys of the issuers that trusts name: the only function that calls addresses that operators give.',
    everyMinutes: 5,
    afterDeployment: false,
    timeoutSeconds: 60,
    memoryMb: 256,
    grants: [LIST_KEYS, onTable(['GetItem', 'PutItem'], 'issuerKeys'), SIGN],
  },
];
