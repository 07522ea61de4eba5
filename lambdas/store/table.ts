import type { ConditionalCheckFailedException, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { DEFAULT_SETTINGS, ENVIRONMENT, type Settings } from '../../contract/functions/environment.ts';
import { createSigning, type Signing } from '../core/signing.ts';
import { createClient, DOCUMENT_OPTIONS } from './client.ts';
import { isConditionFailure, mapAwsError, mapAwsErrors } from './failures.ts';
import type { RecentRows } from './throttled-reads.ts';

export type Item = Record<string, unknown>;

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/**
 * How the functions that applications call read the rows of every call, and write entries. Neither retries what is
 * throttled: `readThroughThrottling` and `putEntry` do. `isThrottled` recognizes it.
 */
export interface Hot {
  /** Reads an item, strongly consistent. Errors: `unavailable`. */
  readonly read: (key: Key) => Promise<Item | undefined>;
  /** Writes an item, replacing an existing one. Errors: `unavailable`. */
  readonly put: (item: Item) => Promise<void>;
  readonly recent: RecentRows<unknown>;
  /** The clock of `recent`, in milliseconds. */
  readonly now: () => number;
}

/** The table and its settings. */
export interface Table {
  readonly documents: DynamoDBDocumentClient;
  readonly name: string;
  readonly settings: Settings;
  /** Verifies signed rows, and signs them if the function may. */
  readonly signing: Signing;
  /** Sources of entries that this container has found throttled (`usage/entry-shards.ts`). */
  readonly wideSources: Set<string>;
  /** For functions that applications call: how they read the rows of every call. */
  readonly hot?: Hot;
}

/** Connects to the table that the environment names (`contract/functions/environment.ts`). */
export const connectTable = (
  environment: NodeJS.ProcessEnv = process.env,
  options: DynamoDBClientConfig = {},
): Table => ({
  documents: DynamoDBDocumentClient.from(createClient(options), DOCUMENT_OPTIONS),
  name: environment[ENVIRONMENT.table] ?? '',
  wideSources: new Set(),
  signing: createSigning(environment[ENVIRONMENT.publicKeys] ?? ''),
  settings: {
    stage: environment[ENVIRONMENT.stage] ?? DEFAULT_SETTINGS.stage,
    shards: Number(environment[ENVIRONMENT.shards] ?? DEFAULT_SETTINGS.shards),
    accessDays: Number(environment[ENVIRONMENT.accessDays] ?? DEFAULT_SETTINGS.accessDays),
    auditDays: Number(environment[ENVIRONMENT.auditDays] ?? DEFAULT_SETTINGS.auditDays),
    readDays: Number(environment[ENVIRONMENT.readDays] ?? DEFAULT_SETTINGS.readDays),
    compiledBytes: Number(environment[ENVIRONMENT.compiledBytes] ?? DEFAULT_SETTINGS.compiledBytes),
    requestMetadataBytes: Number(
      environment[ENVIRONMENT.requestMetadataBytes] ?? DEFAULT_SETTINGS.requestMetadataBytes,
    ),
  },
});

/** Reads one item, strongly consistent unless otherwise requested. Errors: `unavailable`. */
export const getItem = async (
  table: Table,
  key: Key,
  consistency: 'strongly' | 'eventually' = 'strongly',
): Promise<Item | undefined> => {
  const ConsistentRead = consistency === 'strongly';
  const { Item } = await mapAwsErrors(
    table.documents.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead })),
  );
  return Item;
};

/**
 * Reads one item, strongly consistent; in functions that applications call, in one call with what is requested at the
 * same moment. Errors: `unavailable`.
 */
export const readBatched = (table: Table, key: Key): Promise<Item | undefined> =>
  table.hot === undefined ? getItem(table, key) : table.hot.read(key);

/** Writes one item, replacing an existing one. Errors: `unavailable`. */
export const putItem = async (table: Table, item: Item): Promise<void> => {
  await mapAwsErrors(table.documents.send(new PutCommand({ TableName: table.name, Item: item })));
};

/** Writes one item on a condition. Returns whether it was written. Errors: `unavailable`. */
export const putItemIf = async (
  table: Table,
  put: Omit<PutCommandInput, 'TableName'> & { readonly ConditionExpression: string },
): Promise<boolean> => {
  try {
    await table.documents.send(new PutCommand({ TableName: table.name, ...put }));
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw mapAwsError(error);
  }
};

/** Writes one item unless it already exists. Errors: `unavailable`. */
export const putNewItem = async (table: Table, item: Item): Promise<void> => {
  await putItemIf(table, { Item: item, ConditionExpression: 'attribute_not_exists(pk)' });
};

/** Deletes one item if it exists. Errors: `unavailable`. */
export const deleteItem = async (table: Table, key: Key): Promise<void> => {
  await mapAwsErrors(table.documents.send(new DeleteCommand({ TableName: table.name, Key: key })));
};

/**
 * Updates one item and returns the attributes requested with `ReturnValues`, or `'condition-failed'`.
 * Errors: `unavailable`.
 */
export const updateItem = async (
  table: Table,
  update: Omit<UpdateCommandInput, 'TableName'>,
): Promise<Item | 'condition-failed'> => {
  try {
    const { Attributes } = await table.documents.send(
      new UpdateCommand({ TableName: table.name, ...update }),
    );
    return Attributes ?? {};
  } catch (error) {
    if (isConditionFailure(error)) return 'condition-failed';
    throw mapAwsError(error);
  }
};

/**
 * Updates one item on a condition. Returns undefined, or the unchanged item if the condition fails.
 * Errors: `unavailable`.
 */
export const updateOrRead = async (
  table: Table,
  update: Omit<UpdateCommandInput, 'TableName'> & { readonly ConditionExpression: string },
): Promise<Item | undefined> => {
  try {
    const returned = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    await table.documents.send(new UpdateCommand({ TableName: table.name, ...returned, ...update }));
    return undefined;
  } catch (error) {
    if (!isConditionFailure(error)) throw mapAwsError(error);
    return unmarshall((error as ConditionalCheckFailedException).Item ?? {});
  }
};

/** A query of the table or its index. */
export type TableQuery = Omit<QueryCommandInput, 'TableName' | 'ConsistentRead' | 'ExclusiveStartKey'>;

/**
 * Yields every item that matches a query, across all pages. A query of the table is strongly consistent, a query of the
 * index cannot be. Errors: `unavailable`.
 */
export async function* queryItems(table: Table, query: TableQuery): AsyncGenerator<Item> {
  let start: Item | undefined;
  do {
    const page = await mapAwsErrors(
      table.documents.send(
        new QueryCommand({
          TableName: table.name,
          ...query,
          ConsistentRead: query.IndexName === undefined,
          ...(start === undefined ? {} : { ExclusiveStartKey: start }),
        }),
      ),
    );
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}
