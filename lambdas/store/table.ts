import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Settings } from '../../contract/functions/environment.ts';
import type { Signing } from '../core/signing.ts';
import { mapAwsErrors, retryThrottled } from './failures.ts';

export type Item = Record<string, unknown>;

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** A key as one text. */
export const keyText = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** The table, for calls to DynamoDB. */
export interface Connection {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
  /** In functions that read single rows together (`batched-reads.ts`): how they read each. */
  readonly batched?: Readonly<Record<Consistency, ReadRow>>;
}

export type Consistency = 'strongly' | 'eventually';

export type ReadRow = (key: Key) => Promise<Item | undefined>;

/** The table of a stage: with its settings, and with what verifies its rows. */
export interface Table extends Connection {
  readonly settings: Settings;
  /** Verifies signed rows, and signs them if the function may. */
  readonly signing: Signing;
  /** Sources of entries that this container has found throttled (`entry-shards.ts`). */
  readonly wideSources: Set<string>;
  /** In functions that applications call: how they read the rows of every call. */
  readonly hot?: {
    /** Reads an item, strongly consistent, in one call with what is requested at the same moment. */
    readonly read: ReadRow;
    /**
     * Reads a row with `read`, which verifies it. A throttled read may return a row that the container has read itself
     * at most a second ago; without one, it is repeated.
     */
    readonly readThroughThrottling: <Row>(
      id: string,
      read: () => Promise<Row | undefined>,
    ) => Promise<Row | undefined>;
  };
}

/** The input of a call without the name of the table. */
export type InTable<Input extends { TableName?: unknown }> = Omit<Input, 'TableName'>;

/** Makes a call, again while it is throttled. */
export const callTable = <Output>(call: () => Promise<Output>): Promise<Output> =>
  retryThrottled(() => mapAwsErrors(call()));

/** Reads one item, strongly consistent unless otherwise requested. */
export const getItem = async (
  table: Connection,
  key: Key,
  consistency: Consistency = 'strongly',
): Promise<Item | undefined> => {
  const { batched } = table;
  if (batched !== undefined) return retryThrottled(() => batched[consistency](key));
  const input = { TableName: table.name, Key: key, ConsistentRead: consistency === 'strongly' };
  const { Item } = await callTable(() => table.client.send(new GetCommand(input)));
  return Item;
};

/** Writes one item, replacing an existing one. Unlike `putItem`, fails if it is throttled. */
export const putItemOnce = async (table: Connection, item: Item): Promise<void> => {
  await mapAwsErrors(table.client.send(new PutCommand({ TableName: table.name, Item: item })));
};

/** Writes one item, replacing an existing one. */
export const putItem = (table: Connection, item: Item): Promise<void> =>
  retryThrottled(() => putItemOnce(table, item));
