import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Connection, Table } from '../../../lambdas/store/table.ts';

interface Command {
  readonly input: Record<string, unknown>;
}

export interface Call extends Command {
  /** Name of the command's class, such as `GetItemCommand`. */
  readonly name: string;
  /** The input with documents in place of attributes. */
  readonly documents: Record<string, unknown>;
}

/** Stands between the store and the engine: passes a call on with `next`, or throws in its place. */
export type Around = (call: Call, next: () => Promise<unknown>) => Promise<unknown>;

const withDocuments = (value: unknown, name = ''): unknown => {
  if (['Item', 'Key', 'ExpressionAttributeValues'].includes(name))
    return unmarshall(value as Record<string, AttributeValue>);
  if (Array.isArray(value)) return value.map((each) => withDocuments(each));
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withDocuments(each, key)]))
    : value;
};

/** The table with every call going through `around`. */
export const intercepted = <Connected extends Connection>(table: Connected, around: Around): Connected => ({
  ...table,
  client: new Proxy(table.client, {
    get: (target, property) =>
      property === 'send'
        ? (command: Command) => {
            const { input } = command;
            const documents = withDocuments(input) as Record<string, unknown>;
            return around({ name: command.constructor.name, input, documents }, () =>
              target.send(command as never),
            );
          }
        : Reflect.get(target, property),
  }),
});

/** The table with something done before each of its calls: it may wait, or throw to fail the call. */
export const beforeEachCall = (
  table: Table,
  before: (operation: string, input: unknown) => Promise<void> | void,
): Table =>
  intercepted(table, async ({ name, documents }, next) => {
    await before(name, documents);
    return next();
  });

const failing = (name: string, details: object): Error =>
  Object.assign(new Error(name), { name, $metadata: {}, ...details });

/** What DynamoDB throws when another transaction holds one of the items. */
export const transactionConflict = (): Error =>
  failing('TransactionCanceledException', {
    CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
  });

/** What DynamoDB throws when it fails, and the client has used up its retries. */
export const serverError = (): Error => failing('InternalServerError', {});

/** What DynamoDB throws when a partition is throttled. */
export const throttled = (): Error => failing('ProvisionedThroughputExceededException', {});

/** The table, and the capacity units that it has consumed so far. */
export const metered = (table: Table): { table: Table; units: () => number } => {
  let units = 0;
  const counting = intercepted(table, async ({ input }, next) => {
    input.ReturnConsumedCapacity = 'TOTAL';
    const reply = (await next()) as { ConsumedCapacity?: { CapacityUnits?: number } };
    if (reply.ConsumedCapacity?.CapacityUnits === undefined) throw new Error('The engine named no units');
    units += reply.ConsumedCapacity.CapacityUnits;
    return reply;
  });
  return { table: counting, units: () => units };
};
