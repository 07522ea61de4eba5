import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Settings } from '../../contract/functions/environment.ts';
import type { Signing } from '../core/signing.ts';
import { isConditionFailure, mapAwsErrors } from './failures.ts';
import { type RecentRows, retryThrottled } from './throttled-reads.ts';

export type Item = Record<string, unknown>;

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The table, for calls to DynamoDB. */
export interface Connection {
  readonly client: DynamoDBClient;
  readonly name: string;
}

/** The table of a stage: with its settings, and with what verifies its rows. */
export interface Table extends Connection {
  readonly settings: Settings;
  /** Verifies signed rows, and signs them if the function may. */
  readonly signing: Signing;
  /** Sources of entries that this container has found throttled (`entry-shards.ts`). */
  readonly wideSources: Set<string>;
  /** In functions that applications call: how they read the rows of every call. */
  readonly hot?: {
    /** Reads an item, strongly consistent, in one call with what is requested at the same moment. Errors: `unavailable`. */
    readonly read: (key: Key) => Promise<Item | undefined>;
    readonly recent: RecentRows<unknown>;
  };
}

/** The parts of a call that are documents here, and attributes in DynamoDB. */
const DOCUMENTS = ['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey'] as const;
type Document = (typeof DOCUMENTS)[number];

/** The input of a call with documents, without the name of the table. */
export type Documented<Input> = {
  [Name in keyof Input as Name extends 'TableName' ? never : Name]: Name extends Document
    ? object
    : Input[Name];
};

type Attributed<Input> = { TableName: string } & {
  [Name in keyof Input]: Name extends Document ? Record<string, AttributeValue> : Input[Name];
};

/** The input of a call as DynamoDB takes it. Attributes without a value are left out. */
export const inputOf = <Input extends object>({ name }: Connection, input: Input): Attributed<Input> => {
  const parts = Object.entries(input).map(([part, value]) =>
    DOCUMENTS.some((each) => each === part)
      ? [part, marshall(value, { removeUndefinedValues: true })]
      : [part, value],
  );
  return { TableName: name, ...Object.fromEntries(parts) };
};

/** Makes a call, again while it is throttled. Errors: `unavailable`; those of its content unchanged. */
export const callTable = <Output>(call: () => Promise<Output>): Promise<Output> =>
  retryThrottled(() => mapAwsErrors(call()));

/** Reads one item, strongly consistent unless otherwise requested. Errors: `unavailable`. */
export const getItem = async (
  table: Connection,
  key: Key,
  consistency: 'strongly' | 'eventually' = 'strongly',
): Promise<Item | undefined> => {
  const input = inputOf(table, { Key: key, ConsistentRead: consistency === 'strongly' });
  const { Item } = await callTable(() => table.client.send(new GetItemCommand(input)));
  return Item && unmarshall(Item);
};

/** Writes one item, replacing an existing one. Unlike `putItem`, fails if it is throttled. Errors: `unavailable`. */
export const putItemOnce = async (table: Connection, item: Item): Promise<void> => {
  await mapAwsErrors(table.client.send(new PutItemCommand(inputOf(table, { Item: item }))));
};

/** Writes one item, replacing an existing one. Errors: `unavailable`. */
export const putItem = (table: Connection, item: Item): Promise<void> =>
  retryThrottled(() => putItemOnce(table, item));

/** Writes one item on a condition. Returns whether it was written. Errors: `unavailable`. */
export const putItemIf = async (
  table: Connection,
  put: Documented<PutItemCommandInput> & { readonly ConditionExpression: string },
): Promise<boolean> => {
  try {
    await callTable(() => table.client.send(new PutItemCommand(inputOf(table, put))));
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
};

/** Deletes one item if it exists. Errors: `unavailable`. */
export const deleteItem = async (table: Connection, key: Key): Promise<void> => {
  await callTable(() => table.client.send(new DeleteItemCommand(inputOf(table, { Key: key }))));
};

/** A query of the table or its index. */
export type TableQuery = Omit<Documented<QueryCommandInput>, 'ConsistentRead' | 'ExclusiveStartKey'>;

/** One page of a query, from a key on. Errors: `unavailable`. */
export const queryOnce = async (
  table: Connection,
  query: TableQuery & { readonly ConsistentRead: boolean },
  start: Item | undefined,
): Promise<{ readonly items: readonly Item[]; readonly last: Item | undefined }> => {
  const input = inputOf(table, { ...query, ...(start && { ExclusiveStartKey: start }) });
  const { Items = [], LastEvaluatedKey } = await callTable(() => table.client.send(new QueryCommand(input)));
  return {
    items: Items.map((item) => unmarshall(item)),
    last: LastEvaluatedKey && unmarshall(LastEvaluatedKey),
  };
};

/**
 * Yields every item that matches a query, across all pages. A query of the table is strongly consistent, a query of the
 * index cannot be. Errors: `unavailable`.
 */
export async function* queryItems(table: Connection, query: TableQuery): AsyncGenerator<Item> {
  let start: Item | undefined;
  do {
    const page = await queryOnce(table, { ...query, ConsistentRead: query.IndexName === undefined }, start);
    yield* page.items;
    start = page.last;
  } while (start !== undefined);
}
