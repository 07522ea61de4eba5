import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CommandError, requireStack } from './stack.ts';

/**
 * Returns the name of the function of an operation (id) in the stack of a stage. The function returned throws a
 * `CommandError` for an operation that the stack does not have. Errors: `CommandError` if no stack is deployed; those of
 * AWS.
 */
export const functionsOf = async (stage: string): Promise<(id: string) => string> => {
  const { name: StackName } = await requireStack(stage);
  const functions: [logicalId: string, name: string][] = [];
  for await (const page of paginateListStackResources(
    { client: new CloudFormationClient({}) },
    { StackName },
  ))
    for (const { ResourceType, LogicalResourceId, PhysicalResourceId } of page.StackResourceSummaries ?? [])
      if (ResourceType === 'AWS::Lambda::Function')
        functions.push([LogicalResourceId ?? '', PhysicalResourceId ?? '']);
  return (id) => {
    const start = `${id.replaceAll('-', '')}Function`;
    const [, name] = functions.find(([logicalId]) => logicalId.startsWith(start)) ?? [];
    if (name !== undefined) return name;
    throw new CommandError(`The stack ${StackName} has no ${id}. Deploy this release first: npm run deploy`);
  };
};

/** The environment variables of a function. Errors: those of AWS. */
export const environmentOf = async (FunctionName: string): Promise<Record<string, string>> => {
  const found = await new LambdaClient({}).send(new GetFunctionConfigurationCommand({ FunctionName }));
  return found.Environment?.Variables ?? {};
};
