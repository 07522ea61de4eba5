import { randomUUID } from 'node:crypto';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { CuevaultError, StaleError } from '../core/errors.ts';
import { pauseBefore } from './failures.ts';
import { type Connection, callTable, type InTable } from './table.ts';

/** What a change was based on. A `row` is one that callers do not know. */
export type Subject =
  | 'row'
  | 'prompt'
  | 'vault'
  | `list of ${'API keys' | 'operators' | 'environments' | 'protected labels'}`;

/** Another writer was faster. */
export class ConflictError extends StaleError {
  constructor(subject: Subject) {
    super(
      'changed_meanwhile',
      `The ${subject} was changed by someone else in the meantime. Reload it and repeat your change.`,
    );
    this.name = 'ConflictError';
  }
}

type TransactWriteItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Part<Name extends keyof TransactWriteItem> = InTable<NonNullable<TransactWriteItem[Name]>>;

/** One operation of a transaction, and the error that callers get if its condition fails. */
export type Write = (
  | { readonly put: Part<'Put'> }
  | { readonly update: Part<'Update'> }
  | { readonly remove: Part<'Delete'> }
  | { readonly check: Part<'ConditionCheck'> }
) & { readonly onConditionFailed?: () => CuevaultError };

/** The condition that a row still has these values; without any, that there is no row. */
export const onlyIf = (seen: Readonly<Record<string, number>> = {}) => {
  const values = Object.entries(seen);
  if (values.length === 0) return { ConditionExpression: 'attribute_not_exists(pk)' };
  return {
    ConditionExpression: values.map(([name]) => `${name} = :${name}`).join(' AND '),
    ExpressionAttributeValues: Object.fromEntries(values.map(([name, value]) => [`:${name}`, value])),
  };
};

const toPart = ({ name: TableName }: Connection, write: Write): TransactWriteItem => {
  if ('put' in write) return { Put: { TableName, ...write.put } };
  if ('update' in write) return { Update: { TableName, ...write.update } };
  if ('remove' in write) return { Delete: { TableName, ...write.remove } };
  return { ConditionCheck: { TableName, ...write.check } };
};

const TRANSACTION_ATTEMPTS = 6;
/** Transient reasons for which a transaction is canceled. */
const TRANSIENT = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

/** The reason codes of a canceled transaction, one per operation, or undefined for any other error. */
const cancellationCodes = (error: unknown): string[] | undefined =>
  error instanceof Error && error.name === 'TransactionCanceledException'
    ? ((error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? []).map(
        ({ Code }) => Code ?? 'None',
      )
    : undefined;

/** The longest pause after attempt `n` (from 1), in milliseconds: it doubles from 50 ms up to 1 s. */
const pauseAfter = (n: number) => Math.min(1_000, 25 * 2 ** n);

/**
 * Writes all parts or none. If conditions fail, throws the error of the first such part, in the given order. Retries
 * conflicts with other transactions, and throttling, with jitter.
 */
export const transact = async (table: Connection, writes: readonly Write[]): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      // The token makes a repetition the same transaction.
      const input = {
        TransactItems: writes.map((write) => toPart(table, write)),
        ClientRequestToken: randomUUID(),
      };
      await callTable(() => table.client.send(new TransactWriteCommand(input)));
      return;
    } catch (error) {
      const codes = cancellationCodes(error);
      if (codes === undefined) throw error;
      const failed = codes.indexOf('ConditionalCheckFailed');
      if (failed >= 0) throw writes[failed]?.onConditionFailed?.() ?? error;
      if (!codes.some((code) => TRANSIENT.includes(code))) throw error;
      const failure = new CuevaultError('unavailable', 'Too many concurrent changes. Try again shortly.', {
        cause: error,
      });
      await pauseBefore(attempt === TRANSACTION_ATTEMPTS, failure, pauseAfter(attempt));
    }
  }
};

/** Enough for 20 operators who change a prompt at the same time. */
const CONFLICT_ATTEMPTS = 12;

/** Retries an attempt that lost a race against another writer. */
export const retryOnConflict = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  for (let n = 1; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
      await pauseBefore(n === CONFLICT_ATTEMPTS, error, pauseAfter(n));
    }
  }
};

/** Writes all parts, or none if the condition of one fails. Returns whether it wrote them. */
export const transactIf = async (table: Connection, writes: readonly Write[]): Promise<boolean> => {
  const failed = new ConflictError('row');
  try {
    await transact(
      table,
      writes.map((write) => ({ ...write, onConditionFailed: () => failed })),
    );
    return true;
  } catch (error) {
    if (error === failed) return false;
    throw error;
  }
};
