import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { functionsOf } from '../../scripts/aws/functions.ts';
import { mockClient } from '../support/aws/mock-client.ts';

const cloudFormation = mockClient(CloudFormationClient);

const resource = (ResourceType: string, LogicalResourceId: string, PhysicalResourceId: string) => ({
  ...{ ResourceType, LogicalResourceId, PhysicalResourceId },
  ...{ ResourceStatus: 'CREATE_COMPLETE' as const, LastUpdatedTimestamp: new Date(0) },
});

beforeEach(() => {
  const Stacks = [
    { StackName: 'cuevault-prod', CreationTime: new Date(0), StackStatus: 'CREATE_COMPLETE' as const },
  ];
  cloudFormation.reset();
  cloudFormation.on(DescribeStacksCommand).resolves({ Stacks });
  cloudFormation
    .on(ListStackResourcesCommand)
    .resolvesOnce({
      StackResourceSummaries: [resource('AWS::IAM::Role', 'auditsealFunctionServiceRole1A2B', 'a-role')],
      NextToken: 'more',
    })
    .resolves({
      StackResourceSummaries: [resource('AWS::Lambda::Function', 'auditsealFunction3C4D', 'a-function')],
    });
});

test('the function of an operation is found on any page, and not mistaken for its role', async () => {
  expect((await functionsOf('prod'))('audit-seal')).toBe('a-function');
});

test('an operation that the stack does not have is named, with the remedy', async () => {
  const nameOf = await functionsOf('prod');
  expect(() => nameOf('backup-export')).toThrow(
    'The stack cuevault-prod has no backup-export. Deploy this release first: npm run deploy',
  );
});
