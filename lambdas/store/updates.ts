import type { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isConditionFailure } from './failures.ts';
import { type Connection, callTable, type InTable, type Item } from './table.ts';

type Update = InTable<UpdateCommandInput>;

/**
 * Updates one item and returns the attributes requested with `ReturnValues`, or `'condition-failed'`.
 * Errors: `unavailable`.
 */
export const updateItem = async (table: Connection, update: Update): Promise<Item | 'condition-failed'> => {
  try {
    const { Attributes = {} } = await callTable(() =>
      table.client.send(new UpdateCommand({ TableName: table.name, ...update })),
    );
    return Attributes;
  } catch (error) {
    if (isConditionFailure(error)) return 'condition-failed';
    throw error;
  }
};

/**
 * Updates one item on a condition. Returns undefined, or the unchanged item if the condition fails.
 * Errors: `unavailable`.
 */
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
