import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
  ListStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { KMSClient, ScheduleKeyDeletionCommand } from '@aws-sdk/client-kms';
import {
  DeleteBucketCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { mockClient } from '../support/aws/mock-client.ts';
import { described, listed } from '../support/aws/stack.ts';

process.env.AWS_REGION = 'eu-central-1';

const cloudFormation = mockClient(CloudFormationClient);
const dynamodb = mockClient(DynamoDBClient);
const kms = mockClient(KMSClient);
const s3 = mockClient(S3Client);
const others = [dynamodb, kms, s3, mockClient(CognitoIdentityProviderClient)];

const named = (name: string) => Object.assign(new Error('no'), { name });
const stack = (...Tags: { Key: string; Value: string }[]) =>
  cloudFormation
    .on(DescribeStacksCommand)
    .resolves({ Stacks: described().Stacks.map((each) => ({ ...each, Tags })) });
const settings = (given: object) =>
  cloudFormation
    .on(GetTemplateCommand)
    .resolves({ TemplateBody: JSON.stringify({ Metadata: { 'cuevault:settings': given } }) });

let runs = 0;
/** Runs the command; returns what it printed, and its exit status. */
const destroy = async (...args: string[]) => {
  const { argv, exitCode } = process;
  const { log, error } = console;
  const printed: unknown[] = [];
  console.log = console.error = (text: unknown) => void printed.push(text);
  process.argv = ['node', 'destroy', ...args];
  process.exitCode = 0;
  runs += 1;
  await import(`../../scripts/aws/destroy.ts?${runs}`);
  const status = process.exitCode;
  Object.assign(console, { log, error });
  Object.assign(process, { argv, exitCode });
  return { status, output: printed.join('\n') };
};

const TAG = { Key: 'cuevault:stage', Value: 'prod' };

beforeEach(() => {
  for (const client of [cloudFormation, ...others]) client.reset();
  stack(TAG);
  settings({ stage: 'prod', production: 'false' });
});

test.each([
  [{ stage: 'prod' }, ['--with-data'], 'its data is never removed by this command'],
  [
    { stage: 'prod', production: 'true' },
    [],
    'deploy it with -c production=false --accept-removal production first',
  ],
])('what is for production is not removed (%j %j)', async (given, args, sentence) => {
  settings(given);
  const { status, output } = await destroy('--stage', 'prod', '--confirm', 'prod', ...args);
  expect([status, output]).toEqual([1, expect.stringContaining(sentence)]);
  expect(cloudFormation.commandCalls(DeleteStackCommand)).toEqual([]);
});

test('a stack of that name that is not one of Cuevault is not removed', async () => {
  stack();
  const { status, output } = await destroy('--stage', 'prod', '--confirm', 'prod', '--with-data');
  expect([status, output]).toEqual([1, expect.stringContaining('it lacks the tag with its stage')]);
  expect(cloudFormation.commandCalls(DeleteStackCommand)).toEqual([]);
});

test('an interrupted removal is repeated: what is gone is passed over, and what fails is named', async () => {
  cloudFormation
    .on(DescribeStacksCommand)
    .rejects(Object.assign(new Error('Stack does not exist'), { name: 'ValidationError' }))
    .on(ListStacksCommand)
    .resolves({
      StackSummaries: [
        {
          StackName: 'other',
          StackId: 'arn:other',
          StackStatus: 'DELETE_COMPLETE',
          CreationTime: new Date(0),
        },
        {
          StackName: 'cuevault-prod',
          StackId: 'arn:gone',
          StackStatus: 'DELETE_COMPLETE',
          CreationTime: new Date(0),
        },
      ],
    })
    .on(ListStackResourcesCommand, { StackName: 'arn:gone' })
    .resolves({
      StackResourceSummaries: [
        listed('AWS::DynamoDB::GlobalTable', 'Table', 'the-table'),
        listed('AWS::S3::Bucket', 'SealedLog', 'locked'),
        listed('AWS::S3::Bucket', 'FailedRecords', 'unlocked'),
        listed('AWS::KMS::Key', 'VaultKey', 'the-key'),
        listed('AWS::Lambda::Function', 'Other', 'not-ours-to-remove'),
      ],
    });
  dynamodb.on(UpdateTableCommand).rejects(named('ResourceNotFoundException'));
  s3.on(ListObjectVersionsCommand)
    .resolves({})
    .on(ListObjectVersionsCommand, { Bucket: 'locked' })
    .resolves({
      Versions: [{ Key: 'a', VersionId: '1' }],
    });
  s3.on(DeleteObjectsCommand).resolves({ Errors: [{ Key: 'a', Message: 'Access Denied' }] });
  const { status, output } = await destroy('--stage', 'prod', '--confirm', 'prod', '--with-data');
  expect([status, output.split('\n').slice(-5)]).toEqual([
    1,
    [
      'The stack is removed.',
      '  gone     table: the-table',
      '  FAILURE  bucket: locked: Error: a: Access Denied',
      '  removed  bucket: unlocked',
      '  removed  key, in seven days: the-key',
    ],
  ]);
  expect(cloudFormation.commandCalls(DeleteStackCommand)).toEqual([]);
  expect(s3.commandCalls(DeleteObjectsCommand)[0]?.args[0].input).toMatchObject({
    BypassGovernanceRetention: true,
  });
  expect(s3.commandCalls(DeleteBucketPolicyCommand)).toHaveLength(2);
  expect(s3.commandCalls(DeleteBucketCommand)).toHaveLength(1);
  expect(kms.commandCalls(ScheduleKeyDeletionCommand)[0]?.args[0].input).toMatchObject({
    PendingWindowInDays: 7,
  });
});
