import {
  type ConditionalCheckFailedException,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isConditionFailure } from './failures.ts';
import { type Connection, callTable, type Documented, type Item, inputOf } from './table.ts';

type Update = Documented<UpdateItemCommandInput>;

/**
 * Updates one item and returns the attributes requested with `ReturnValues`, or `'condition-failed'`.
 * Errors: `unavailable`.
 */
export const updateItem = async (table: Connection, update: Update): Promise<Item | 'condition-failed'> => {
  try {
    const { Attributes = {} } = await callTable(() =>
      table.client.send(new UpdateItemCommand(inputOf(table, update))),
    );
    return unmarshall(Attributes);
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
  const input = inputOf(table, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const, ...update });
  try {
    await callTable(() => table.client.send(new UpdateItemCommand(input)));
    return undefined;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return unmarshall((error as ConditionalCheckFailedException).Item ?? {});
  }
};
