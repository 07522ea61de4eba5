import { PARTITIONS } from '../../contract/table.ts';
import { expiresAfter, monthOf } from '../core/days.ts';
import { randomBase62 } from '../core/identifiers.ts';
import type { Operator } from '../core/operators.ts';
import type { Table } from './table.ts';
import { transact, type Write } from './transactions.ts';

/** Who makes a change. The id stays, also when the name changes. */
export interface Actor {
  /** Id of the operator or of the API key, ARN of who invokes a command, or `system` for automatic changes. */
  readonly id: string;
  /** E-mail address of the operator, `API key` and its name, or the id. */
  readonly name: string;
}

/** Automatic changes. */
export const SYSTEM: Actor = { id: 'system', name: 'system' };

/** Who makes a change, when, and in which request. */
export interface Change {
  readonly at: Date;
  readonly actor: Actor;
  /** The operator who makes it. Absent for API keys, commands and automatic changes. */
  readonly operator?: Operator;
  readonly requestId: string;
  /** Whether the actor may do what only administrators may. Automatic changes may. */
  readonly isAdmin: boolean;
  /**
   * Requires that the operator may still do what they could when the call began: reads their row again before each
   * transaction but the first.
   */
  readonly recheck?: () => Promise<void>;
  /** Whether an administrator has confirmed that API keys with a tag restriction may gain access to existing secrets. */
  readonly mayWidenAccess?: boolean;
}

/** Who made a change and when, as rows say it: `changedAt` and `changedBy` for the verb `changed`. */
export const stamp = <const Verb extends string>({ at, actor }: Pick<Change, 'at' | 'actor'>, verb: Verb) =>
  ({ [`${verb}At`]: at.toISOString(), [`${verb}By`]: actor.name }) as Record<`${Verb}${'At' | 'By'}`, string>;

/** A change: `action` is `<resource>.<verb>`; `details` never contains a secret value or an API key. */
export interface AuditChange {
  readonly action: string;
  readonly subject: string;
  readonly name: string;
  /** The id of the operator whose address `subject` and `name` are: the sealed log has it in their place. */
  readonly subjectId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The environment whose secrets the change is about. */
  readonly environment?: string | undefined;
  /** The revision of its vault that the change made. */
  readonly revision?: number;
}

/** The audit entry of a change, as part of the change's transaction. */
export const auditChange = (table: Table, change: Change, entry: AuditChange): Write => ({
  put: {
    Item: {
      pk: PARTITIONS.auditChange + monthOf(change.at),
      sk: `${change.at.toISOString()}#${change.requestId}#${randomBase62(6)}`,
      at: change.at.toISOString(),
      actor: change.actor.name,
      actorId: change.actor.id,
      requestId: change.requestId,
      action: entry.action,
      subject: entry.subject,
      name: entry.name,
      subjectId: entry.subjectId,
      details: JSON.stringify(entry.details ?? {}),
      environment: entry.environment,
      revision: entry.revision,
      ttl: expiresAfter(change.at, table.settings.auditDays),
    },
  },
});

/** Makes the writes of a change in one transaction. */
export const transactChange = async (
  table: Table,
  change: Change,
  writes: readonly Write[],
): Promise<void> => {
  await change.recheck?.();
  await transact(table, writes);
};

/** Makes a change in one transaction with its audit entry. */
export const commitChange = (
  table: Table,
  change: Change,
  entry: AuditChange,
  writes: readonly Write[] = [],
): Promise<void> => transactChange(table, change, [...writes, auditChange(table, change, entry)]);
