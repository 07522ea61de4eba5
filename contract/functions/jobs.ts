import { LIST_KEYS, LIST_PROMPTS, SIGN } from '../admin.ts';
import type { StackFunction } from './grants.ts';

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

/** Maximum age of a key pair of the vault, in days, unless a setting says otherwise. */
export const DEFAULT_VAULT_KEY_DAYS = 90;

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
      {
        on: 'table',
        actions: ['GetItem', 'Query', 'PutItem', 'DeleteItem'],
        partitions: ['vault'],
      },
      {
        on: 'table',
        actions: ['GetItem', 'Query', 'PutItem', 'DeleteItem'],
        partitions: ['vaultKey', 'secret'],
      },
      { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['vaultPage'] },
      { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['format'] },
      { on: 'table', actions: ['PutItem'], partitions: ['auditChange', 'labelProtection', 'restrictions'] },
      { on: 'vault-key', actions: ['Decrypt', 'GenerateDataKeyPairWithoutPlaintext'] },
      ...SIGN,
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
      { on: 'table', actions: ['GetItem'], partitions: ['prompt', 'vault', 'vaultPage'] },
      { on: 'table', actions: ['Query'], partitions: ['prompt', 'promptPurge', 'vault', 'secret'] },
      { on: 'table', actions: ['PutItem'], partitions: ['prompt', 'promptCount'] },
      { on: 'table', actions: ['UpdateItem'], partitions: ['apiKeyUse'] },
      ...LIST_PROMPTS,
      {
        on: 'table',
        actions: ['DeleteItem'],
        partitions: ['prompt', 'promptPurge', 'includedBy', 'vault', 'vaultPage', 'secret'],
      },
      ...SIGN,
    ],
  },
  {
    id: 'usage-days',
    summary:
      'Computes how often prompts were fetched and secrets were read on recent days, from the counters.',
    everyMinutes: 5,
    everySecondsLocally: 5,
    afterDeployment: false,
    timeoutSeconds: 600,
    memoryMb: 1024,
    grants: [
      { on: 'index', partitions: ['watched', 'usageOfKey'] },
      { on: 'table', actions: ['Query'], partitions: ['usageDays', 'vaultUse'] },
      { on: 'table', actions: ['PutItem'], partitions: ['usageDays'] },
      { on: 'table', actions: ['UpdateItem'], partitions: ['recentFetches'] },
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
      { on: 'table', actions: ['Query'], partitions: ['auditChange', 'auditRead', 'auditRefusal'] },
      { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['auditSeal'] },
      { on: 'table', actions: ['GetItem'], partitions: ['entryShards'] },
      { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
      { on: 'sealed-log', actions: ['GetObject', 'PutObject', 'ListBucket'] },
      ...SIGN,
    ],
  },
  {
    id: 'issuer-keys',
    summary:
      'Fetches the public keys of the issuers that trusts name: the only function that calls other services.',
    everyMinutes: 5,
    afterDeployment: false,
    timeoutSeconds: 60,
    memoryMb: 256,
    grants: [
      ...LIST_KEYS,
      { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['issuerKeys'] },
      ...SIGN,
    ],
  },
];
