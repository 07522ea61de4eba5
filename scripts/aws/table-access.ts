import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { TABLE } from '../../contract/table.ts';
import { CommandError } from './stack.ts';

/**
 * Whether the caller's credentials may write to a table, which its policy denies to everyone but the stack's functions
 * and `repairRoleArn`. Changes nothing: the condition of the write never holds. Errors: those of DynamoDB.
 */
export const mayWrite = async (tableName: string): Promise<boolean> => {
  const client = new DynamoDBClient({});
  const removal = new DeleteItemCommand({
    TableName: tableName,
    Key: { [TABLE.partitionKey]: { S: 'NOTHING' }, [TABLE.sortKey]: { S: 'NOTHING' } },
    ConditionExpression: `attribute_exists(${TABLE.partitionKey})`,
  });
  try {
    await client.send(removal);
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'AccessDeniedException') return false;
    if (error.name === 'ConditionalCheckFailedException') return true;
    throw error;
  } finally {
    client.destroy();
  }
};

/** Requires that the caller's credentials may write to a table. Errors: `CommandError`; those of DynamoDB. */
export const requireMayWrite = async (tableName: string): Promise<void> => {
  if (!(await mayWrite(tableName)))
    throw new CommandError(
      'Your credentials may not write to the table. Deploy with -c repairRoleArn=<ARN of a role> and assume that role.',
    );
};
