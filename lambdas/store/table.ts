import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
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
  readonly client: DynamoDBDocumentClient;
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

/** The input of a call without the name of the table. */
export type InTable<Input extends { TableName?: unknown }> = Omit<Input, 'TableName'>;

/** Makes a call, again while it is throttled. Errors: `unavailable`; those of its content unchanged. */
export const callTable = <Output>(call: () => Promise<Output>): Promise<Output> =>
  retryThrottled(() => mapAwsErrors(call()));

/** Reads one item, strongly consistent unless otherwise requested. Errors: `unavailable`. */
export const getItem = async (
  table: Connection,
  key: Key,
  consistency: 'strongly' | 'eventually' = 'strongly',
): Promise<Item | undefined> => {
  const input = { TableName: table.name, Key: key, ConsistentRead: consistency === 'strongly' };
  const { Item } = await callTable(() => table.client.send(new GetCommand(input)));
  return Item;
};

/** Writes one item, replacing an existing one. Unlike `putItem`, fails if it is throttled. Errors: `unavailable`. */
export const putItemOnce = async (table: Connection, item: Item): Promise<void> => {
  await mapAwsErrors(table.client.send(new PutCommand({ TableName: table.name, Item: item })));
};

/** Writes one item, replacing an existing one. Errors: `unavailable`. */
export const putItem = (table: Connection, item: Item): Promise<void> =>
  retryThrottled(() => putItemOnce(table, item));

/** Writes one item on a condition. Returns whether it was written. Errors: `unavailable`. */
export const putItemIf = async (
  table: Connection,
  put: InTable<PutCommandInput> & { readonly ConditionExpression: string },
): Promise<boolean> => {
  try {
    await callTable(() => table.client.send(new PutCommand({ TableName: table.name, ...put })));
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
};

/** Deletes one item if it exists. Errors: `unavailable`. */
export const deleteItem = async (table: Connection, key: Key): Promise<void> => {
  await callTable(() => table.client.send(new DeleteCommand({ TableName: table.name, Key: key })));
};

/** A query of the table or its index. */
export type TableQuery = InTable<Omit<QueryCommandInput, 'ConsistentRead' | 'ExclusiveStartKey'>>;

/** One page of a query, from a key on. Errors: `unavailable`. */
export const queryOnce = async (
  table: Connection,
  query: TableQuery & { readonly ConsistentRead: boolean },
  start: Item | undefined,
): Promise<{ readonly items: readonly Item[]; readonly last: Item | undefined }> => {
  const input = { TableName: table.name, ...query, ...(start && { ExclusiveStartKey: start }) };
  const { Items = [], LastEvaluatedKey } = await callTable(() => table.client.send(new QueryCommand(input)));
  return { items: Items, last: LastEvaluatedKey };
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
