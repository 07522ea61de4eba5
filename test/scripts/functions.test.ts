import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { functionsOf } from '../../scripts/aws/functions.ts';
import { mockClient } from '../support/aws/mock-client.ts';
import { described, listed } from '../support/aws/stack.ts';

const cloudFormation = mockClient(CloudFormationClient);

beforeEach(() => {
  cloudFormation.reset();
  cloudFormation.on(DescribeStacksCommand).resolves(described());
  cloudFormation
    .on(ListStackResourcesCommand)
    .resolvesOnce({
      StackResourceSummaries: [listed('AWS::IAM::Role', 'auditsealFunctionServiceRole1A2B', 'a-role')],
      NextToken: 'more',
    })
    .resolves({
      StackResourceSummaries: [listed('AWS::Lambda::Function', 'auditsealFunction3C4D', 'a-function')],
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
