import * as z from 'zod/mini';
import { keyId } from '../fields/common.ts';
import { askedValue } from '../shapes/asked-value.ts';
import { apiKeyChoice, pageWithLinesShape, positionShape, recipientShape } from '../shapes/backup.ts';
import { email, group } from '../shapes/operators.ts';
import { onIndex, onTable } from '../table.ts';
import type { StackFunction } from './grants.ts';
import {
  AUDIT_CHANGE,
  CHANGE_OPERATOR,
  CHANGE_PROMPT,
  CHANGE_VAULT,
  COMPARE_VALUES,
  COUNT_PROMPTS,
  ENCRYPT_VALUES,
  LIST_PROMPTS,
  READ_USERS,
  SIGN,
} from './shared-grants.ts';

/**
 * A function for the command line of the people who run an installation. It has no route: on AWS, those whom IAM allows
 * to invoke it can call it; on a laptop, an operator of the group `admin`.
 */
export interface Command<Input extends z.ZodMiniType = z.ZodMiniType> extends StackFunction {
  readonly input: Input;
}

/** The event of a command. */
export interface CommandEvent {
  /** Who calls it, for the audit log: an e-mail address, or the ARN of an IAM principal. */
  readonly operator: string;
  /** On a laptop, the id of the operator with this address. */
  readonly operatorId?: string;
  readonly input: unknown;
}

/** The reply of a command: the result, or an error of the closed list. */
export type CommandReply =
  | { readonly res: unknown }
  | { readonly err: string; readonly code: string; readonly res: null };

/** Asks for a page of a backup. */
const pageRequest = {
  backupId: z.string().check(z.regex(/^[A-Za-z0-9]{22}$/)),
  number: z.int().check(z.gte(1)),
  previous: z.string().check(z.regex(/^([0-9a-f]{64})?$/)),
  from: positionShape,
};

/** A page of a backup to restore. */
const restoreInput = {
  ...pageWithLinesShape.shape,
  /** Public keys of the installation that made the backup, if it is not this one. */
  trusted: z.optional(z.string()),
};

const READ_VAULT_VALUES = [onTable('GetItem', 'vault', 'vaultPage'), onTable('Query', 'secret')];

const command = <Input extends z.ZodMiniType>(definition: Command<Input>): Command<Input> => definition;

export const backupExport = command({
  id: 'backup-export',
  summary:
    'Returns the next page of a backup of the table or of a copy of it, or the public keys of the installation. Values stay sealed.',
  input: z.union([
    z.object({ show: z.literal('installation') }),
    z.object({ show: z.literal('page'), ...pageRequest, fromTable: z.optional(z.string()) }),
  ]),
  timeoutSeconds: 120,
  memoryMb: 1769,
  readsCopies: true,
  grants: [
    onTable(['GetItem', 'Query'], 'prompt'),
    onTable('GetItem', 'apiKey', 'labelProtection'),
    onTable('Query', 'vaultKey'),
    onIndex('prompts', 'deletedPrompts', 'apiKeys'),
    ...READ_VAULT_VALUES,
    AUDIT_CHANGE,
    SIGN,
  ],
});

export const backupReencrypt = command({
  id: 'backup-reencrypt',
  summary: 'Returns the next page of secrets, re-encrypted to the public keys of another installation.',
  input: z.object({ ...pageRequest, recipients: z.array(recipientShape) }),
  timeoutSeconds: 120,
  memoryMb: 1769,
  grants: [
    onTable('GetItem', 'vaultKey'),
    ...READ_VAULT_VALUES,
    { on: 'vault-key', actions: ['Decrypt'] },
    AUDIT_CHANGE,
    SIGN,
  ],
});

export const backupRestore = command({
  id: 'backup-restore',
  summary: 'Restores a page of a backup. What exists is kept.',
  input: z.object({ ...restoreInput, apiKeys: apiKeyChoice }),
  timeoutSeconds: 300,
  memoryMb: 1769,
  grants: [
    onTable(['GetItem', 'PutItem'], 'prompt', 'apiKey', 'labelProtection', 'restrictions'),
    onTable('PutItem', 'promptPurge', 'includedBy', 'secret'),
    onTable('GetItem', 'vaultKey'),
    onTable('Query', 'auditChange', 'prompt'),
    onIndex('apiKeys'),
    ...CHANGE_VAULT,
  ],
});

export const backupAdoptKeys = command({
  id: 'backup-adopt-keys',
  summary: 'Gives vaults that never had a secret the key pairs of a backup, if their own KMS key opens them.',
  input: z.object(restoreInput),
  timeoutSeconds: 60,
  memoryMb: 512,
  grants: [
    onTable(['GetItem', 'PutItem', 'Query'], 'vault'),
    onTable(['GetItem', 'PutItem', 'DeleteItem'], 'vaultKey'),
    onTable('PutItem', 'vaultPage'),
    { on: 'vault-key', actions: ['Decrypt'] },
    AUDIT_CHANGE,
    SIGN,
  ],
});

export const operatorManage = command({
  id: 'operator-manage',
  summary: 'Invites, changes, removes and lists operators for those who run the installation.',
  input: z.union([
    z.object({ do: z.literal('add'), email, group }),
    z.object({ do: z.literal('reset'), email, print: z.boolean() }),
    z.object({ do: z.enum(['disable', 'remove']), email }),
    z.object({ do: z.literal('list') }),
  ]),
  timeoutSeconds: 30,
  memoryMb: 512,
  grants: [...READ_USERS, ...CHANGE_OPERATOR, { on: 'user-pool', actions: ['AdminDeleteUser'] }],
});

/** Names that only a test of the deployment uses: of a prompt, a secret and an API key. */
export const SMOKE_NAME = /^cuevault-smoke\/[0-9A-Za-z]{22}$/;

export const smoke = command({
  id: 'smoke',
  summary:
    'Writes a prompt, a secret and an API key for nothing else that expires in ten minutes, to test a deployment, and removes them.',
  input: z.union([
    z.object({ do: z.literal('begin') }),
    z.object({
      do: z.literal('end'),
      name: z.string().check(z.regex(SMOKE_NAME)),
      keyId,
      since: z.iso.datetime(),
    }),
  ]),
  timeoutSeconds: 60,
  memoryMb: 1024,
  grants: [
    ...CHANGE_PROMPT,
    ...COUNT_PROMPTS,
    LIST_PROMPTS,
    onTable('PutItem', 'promptPurge'),
    ...CHANGE_VAULT,
    ENCRYPT_VALUES,
    onTable(['GetItem', 'PutItem', 'UpdateItem'], 'apiKey'),
    onTable(['GetItem', 'PutItem'], 'restrictions'),
    onTable('Query', 'auditChange', 'auditRead', 'auditRefusal'),
    onTable('GetItem', 'entryShards'),
  ],
});

export const whoHas = command({
  id: 'who-has',
  summary: 'Says which stored values equal a value, and which API keys received them.',
  input: z.object({ value: askedValue }),
  timeoutSeconds: 120,
  memoryMb: 1769,
  grants: COMPARE_VALUES,
});

/** Every command. */
export const COMMANDS: readonly Command[] = [
  ...[backupExport, backupReencrypt, backupRestore, backupAdoptKeys],
  ...[operatorManage, smoke, whoHas],
];
