import { PARTITIONS } from '../../../contract/table.ts';
import { awsFailure } from '../../../local/aws/reply.ts';
import type { AwsCall } from '../../../local/aws/services.ts';

/** A fault to inject: which calls it hits. */
type Hits = (call: AwsCall) => boolean;

/** Injects faults between the functions and the engine or KMS; none until `set` is called. */
export interface Faults {
  readonly intercept: (call: AwsCall) => ReturnType<typeof awsFailure> | undefined;
  readonly set: (hits: Hits | undefined, type?: string) => void;
}

const THROTTLED = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException';

export const createFaults = (): Faults => {
  let current: { readonly hits: Hits; readonly type: string } | undefined;
  return {
    intercept: (call) =>
      call.operationId !== undefined && current?.hits(call) === true
        ? awsFailure(current.type, 'Injected.')
        : undefined,
    set: (hits, type = THROTTLED) => {
      current = hits === undefined ? undefined : { hits, type };
    },
  };
};

interface Rows {
  readonly Item?: Keyed;
  readonly Key?: Keyed;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys?: readonly Keyed[] }>>;
}

const keysIn = ({ Item, Key, RequestItems = {} }: Rows): string[] =>
  [Item ?? Key ?? [], Object.values(RequestItems).flatMap(({ Keys = [] }) => Keys)]
    .flat()
    .map(({ pk }) => pk.S);

/** Whether a call is this action, alone or in a batch, on an item whose partition key begins so. */
export const isOn =
  (action: 'GetItem' | 'PutItem' | 'UpdateItem', partition: string): Hits =>
  ({ target, body }) =>
    (target.endsWith(`.${action}`) || target.endsWith(`.Batch${action}`)) &&
    keysIn(body as Rows).some((key) => key.startsWith(partition));

interface Part {
  readonly [kind: string]: { readonly Item?: Keyed; readonly Key?: Keyed };
}

interface Keyed {
  readonly pk: { readonly S: string };
  readonly sk: { readonly S: string };
}

const partOn =
  (start: string) =>
  (part: Part): boolean =>
    Object.values(part).some(({ Item, Key }) => {
      const { pk, sk } = Item ?? Key ?? {};
      return pk?.S === PARTITIONS.vault && sk?.S.startsWith(start);
    });
const movesHead = partOn('HEAD');
const settlesPages = partOn('WRITING#');

/**
 * Lets a function lose races for the vault: as often as `lose` says, its next transaction that moves the head to new
 * pages finds that someone else has moved it.
 */
export const createLostRaces = () => {
  let left = 0;
  return {
    lose: (times: number) => {
      left = times;
    },
    intercept: ({ operationId, target, body }: AwsCall) => {
      if (left === 0 || operationId === undefined || !target.endsWith('.TransactWriteItems'))
        return undefined;
      const parts = (body as { TransactItems: Part[] }).TransactItems;
      if (!parts.some(movesHead) || !parts.some(settlesPages)) return undefined;
      left--;
      const reasons = parts.map((part) => ({ Code: movesHead(part) ? 'ConditionalCheckFailed' : 'None' }));
      const type = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';
      const failure = { __type: type, message: 'Injected.', CancellationReasons: reasons };
      return { status: 400, body: JSON.stringify(failure) };
    },
  };
};
