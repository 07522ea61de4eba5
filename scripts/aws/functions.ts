import {
  CloudFormationClient,
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { TABLE } from '../../contract/table.ts';
import { CommandError, type DeployedStack, requireStack } from './stack.ts';

/** The resources of a stack and of its nested stacks. Errors: those of AWS. */
export const resourcesOf = async (StackName: string): Promise<readonly StackResourceSummary[]> => {
  const found: StackResourceSummary[] = [];
  const client = new CloudFormationClient({});
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    found.push(...StackResourceSummaries);
  for (const { ResourceType, PhysicalResourceId = '' } of [...found])
    if (ResourceType === 'AWS::CloudFormation::Stack') found.push(...(await resourcesOf(PhysicalResourceId)));
  return found;
};

/** The name of the table in a stack, or undefined. Errors: those of AWS. */
export const tableOf = async ({ name }: DeployedStack): Promise<string | undefined> =>
  (await resourcesOf(name)).find(({ ResourceType }) => ResourceType?.startsWith('AWS::DynamoDB::') === true)
    ?.PhysicalResourceId;

/**
 * Returns the name of the function of an operation (id) in the stack of a stage. The function returned throws a
 * `CommandError` for an operation that the stack does not have. Errors: `CommandError` if no stack is deployed; those of
 * AWS.
 */
export const functionsOf = async (stage: string): Promise<(id: string) => string> => {
  const { name: StackName } = await requireStack(stage);
  const functions = (await resourcesOf(StackName)).filter(
    ({ ResourceType }) => ResourceType === 'AWS::Lambda::Function',
  );
  return (id) => {
    const start = `${id.replaceAll('-', '')}Function`;
    const found = functions.find(({ LogicalResourceId = '' }) => LogicalResourceId.startsWith(start));
    if (found?.PhysicalResourceId !== undefined) return found.PhysicalResourceId;
    throw new CommandError(`The stack ${StackName} has no ${id}. Deploy this release first: npm run deploy`);
  };
};

/** The environment variables of a function. Errors: those of AWS. */
export const environmentOf = async (FunctionName: string): Promise<Record<string, string>> => {
  const found = await new LambdaClient({}).send(new GetFunctionConfigurationCommand({ FunctionName }));
  return found.Environment?.Variables ?? {};
};

/** Whether the caller may make a call without any effect, which then fails with `error`. Errors: all others. */
export const isAllowed = async (call: Promise<unknown>, error: string): Promise<boolean> => {
  try {
    await call;
    return true;
  } catch (reason) {
    const { name } = reason as Error;
    if (name === 'AccessDeniedException') return false;
    if (name === error) return true;
    throw reason;
  }
};

/**
 * Whether the caller's credentials may write to a table, which its policy denies to everyone but the stack's functions.
 * Changes nothing: the condition of the write never holds. Errors: those of DynamoDB.
 */
export const mayWrite = async (tableName: string): Promise<boolean> => {
  const client = new DynamoDBClient({});
  const removal = new DeleteItemCommand({
    TableName: tableName,
    Key: { [TABLE.partitionKey]: { S: 'NOTHING' }, [TABLE.sortKey]: { S: 'NOTHING' } },
    ConditionExpression: `attribute_exists(${TABLE.partitionKey})`,
  });
  return isAllowed(client.send(removal), 'ConditionalCheckFailedException').finally(() => client.destroy());
};
