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

interface Keyed {
  readonly pk: { readonly S: string };
  readonly sk: { readonly S: string };
}
