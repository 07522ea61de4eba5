import type { StackStatus } from '@aws-sdk/client-cloudformation';

/** A resource as CloudFormation lists it, with its logical id as its name unless another is given. */
export const listed = (
  ResourceType: string,
  LogicalResourceId: string,
  PhysicalResourceId = LogicalResourceId,
) => ({
  ResourceType,
  LogicalResourceId,
  PhysicalResourceId,
  ResourceStatus: 'CREATE_COMPLETE' as const,
  LastUpdatedTimestamp: new Date(0),
});

/** The stack of the stage `prod` as CloudFormation describes it. */
export const described = (status: StackStatus = 'CREATE_COMPLETE') => ({
  Stacks: [
    { StackName: 'cuevault-prod', StackId: 'arn:now', StackStatus: status, CreationTime: new Date(0) },
  ],
});
