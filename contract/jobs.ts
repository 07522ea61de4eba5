import { SIGN } from './admin.ts';
import type { Grant } from './grants.ts';

/** A function that no route leads to: a schedule invokes it, and where said so the deployment too. */
export interface Job {
  readonly id: string;
  readonly summary: string;
  readonly everyHours: number;
  readonly afterDeployment: boolean;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly grants: readonly Grant[];
}

export const JOBS: readonly Job[] = [
  {
    id: 'vault-rotate',
    summary:
      'Makes the first key pair of the vault, replaces it when it has reached its age, seals again what the old one sealed, and removes pairs that nothing uses.',
    everyHours: 24,
    afterDeployment: true,
    timeoutSeconds: 900,
    memoryMb: 1024,
    grants: [
      { on: 'table', actions: ['GetItem'], partitions: ['vault', 'vaultKey', 'vaultPage', 'secret'] },
      { on: 'table', actions: ['Query'], partitions: ['vault', 'vaultKey', 'secret'] },
      {
        on: 'table',
        actions: ['PutItem'],
        partitions: ['vault', 'vaultKey', 'vaultPage', 'secret', 'auditChange'],
      },
      { on: 'table', actions: ['UpdateItem'], partitions: ['vault'] },
      { on: 'table', actions: ['DeleteItem'], partitions: ['vault', 'vaultKey', 'vaultPage', 'secret'] },
      { on: 'vault-key', actions: ['Decrypt', 'GenerateDataKeyPairWithoutPlaintext'] },
      ...SIGN,
    ],
  },
  {
    id: 'table-purge',
    summary: 'Removes for good what was deleted or replaced more than seven days ago.',
    everyHours: 24,
    afterDeployment: false,
    timeoutSeconds: 900,
    memoryMb: 512,
    grants: [
      { on: 'table', actions: ['GetItem'], partitions: ['prompt', 'vault', 'vaultPage'] },
      { on: 'table', actions: ['Query'], partitions: ['prompt', 'promptPurge', 'vault', 'secret'] },
      { on: 'table', actions: ['PutItem'], partitions: ['prompt'] },
      { on: 'table', actions: ['UpdateItem'], partitions: ['vault'] },
      {
        on: 'table',
        actions: ['DeleteItem'],
        partitions: ['prompt', 'promptPurge', 'vault', 'vaultPage', 'secret'],
      },
      ...SIGN,
    ],
  },
];
