import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { CuevaultError } from '../core/errors.ts';
import { cancellationCodes } from './failures.ts';
import { type Connection, callTable, type InTable } from './table.ts';

type TransactWriteItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Part<Name extends keyof TransactWriteItem> = InTable<NonNullable<TransactWriteItem[Name]>>;

/** One operation of a transaction, and the error that callers get if its condition fails. */
export type Write = (
  | { readonly put: Part<'Put'> }
  | { readonly update: Part<'Update'> }
  | { readonly remove: Part<'Delete'> }
  | { readonly check: Part<'ConditionCheck'> }
) & { readonly onConditionFailed?: () => CuevaultError };

const toPart = ({ name: TableName }: Connection, write: Write): TransactWriteItem => {
  if ('put' in write) return { Put: { TableName, ...write.put } };
  if ('update' in write) return { Update: { TableName, ...write.update } };
  if ('remove' in write) return { Delete: { TableName, ...write.remove } };
  return { ConditionCheck: { TableName, ...write.check } };
};

const TRANSACTION_ATTEMPTS = 6;
/** Transient reasons for which a transaction is canceled. */
const TRANSIENT = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

/** Waits before attempt `n` (from 1): full jitter, doubling from 50 ms up to 1 s. */
export const backOff = (n: number): Promise<void> => sleep(Math.random() * Math.min(1_000, 25 * 2 ** n));

/**
 * Writes all parts or none. If conditions fail, throws the error of the first such part, in the given order. Retries
 * conflicts with other transactions, and throttling, with jitter. Errors: those of the parts; `unavailable`.
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
      if (attempt === TRANSACTION_ATTEMPTS) {
        throw new CuevaultError('unavailable', 'Too many concurrent changes. Try again shortly.', {
          cause: error,
        });
      }
      await backOff(attempt);
    }
  }
};
