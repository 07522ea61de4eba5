import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isConditionFailure } from './failures.ts';
import { type Connection, callTable, type InTable, type Item, type Key } from './table.ts';

type Update = InTable<UpdateCommandInput>;

/** Updates one item on a condition. Returns undefined, or the unchanged item if the condition fails. */
export const updateOrRead = async (
  table: Connection,
  update: Update & { readonly ConditionExpression: string },
): Promise<Item | undefined> => {
  const input = {
    TableName: table.name,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ...update,
  };
  try {
    await callTable(() => table.client.send(new UpdateCommand(input)));
    return undefined;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return unmarshall((error as ConditionalCheckFailedException).Item ?? {});
  }
};

/** Updates one item, or creates it. */
export const updateItem = async (table: Connection, update: Update): Promise<void> => {
  await callTable(() => table.client.send(new UpdateCommand({ TableName: table.name, ...update })));
};

/** Deletes one item if it exists. */
export const deleteItem = async (table: Connection, key: Key): Promise<void> => {
  await callTable(() => table.client.send(new DeleteCommand({ TableName: table.name, Key: key })));
};

/** Writes one item on a condition. Returns whether it was written. */
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
