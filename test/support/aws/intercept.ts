import type { Connection } from '../../../lambdas/store/table.ts';

interface Command {
  readonly input: Record<string, unknown>;
}

export interface Call extends Command {
  /** Name of the command's class, such as `GetCommand`. */
  readonly name: string;
}

/** Stands between the store and the engine: passes a call on with `next`, or throws in its place. */
export type Around = (call: Call, next: () => Promise<unknown>) => Promise<unknown>;

/** The table with every call going through `around`. */
export const intercepted = <Connected extends Connection>(table: Connected, around: Around): Connected => ({
  ...table,
  client: new Proxy(table.client, {
    get: (target, property) =>
      property === 'send'
        ? (command: Command) => {
            const { input } = command;
            return around({ name: command.constructor.name, input }, () => target.send(command as never));
          }
        : Reflect.get(target, property),
  }),
});

/** The table with something done before each of its calls: it may wait, or throw to fail the call. */
export const beforeEachCall = <Connected extends Connection>(
  table: Connected,
  before: (operation: string, input: unknown) => Promise<void> | void,
): Connected =>
  intercepted(table, async ({ name, input }, next) => {
    await before(name, input);
    return next();
  });

/** The table, and the operations of the calls that it has made: all, or those that count. */
export const countingCalls = <Connected extends Connection>(
  table: Connected,
  counts: (operation: string, input: unknown) => boolean = () => true,
) => {
  const calls: string[] = [];
  const counted = beforeEachCall(table, (operation, input) => {
    if (counts(operation, input)) calls.push(operation);
  });
  return { counted, calls };
};

const failing = (name: string, details: object): Error =>
  Object.assign(new Error(name), { name, $metadata: {}, ...details });

/** What DynamoDB throws when it fails, and the client has used up its retries. */
export const serverError = (): Error => failing('InternalServerError', {});

/** What DynamoDB throws when a partition is throttled. */
export const throttled = (): Error => failing('ProvisionedThroughputExceededException', {});
