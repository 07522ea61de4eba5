import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
  ListStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
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
import { runHere } from '../support/processes/process.ts';

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

const destroy = (...args: string[]) =>
  runHere('scripts/aws/destroy.ts', ['--stage', 'prod', '--confirm', 'prod', ...args]);

const expectRefused = async (sentence: string, ...args: string[]) =>
  expect(await destroy(...args)).toEqual({ status: 1, out: '', err: expect.stringContaining(sentence) });

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
  await expectRefused(sentence, ...args);
  expect(cloudFormation.commandCalls(DeleteStackCommand)).toEqual([]);
});

test('a stack of that name that is not one of Cuevault is not removed', async () => {
  stack();
  await expectRefused('it lacks the tag with its stage', '--with-data');
  expect(cloudFormation.commandCalls(DeleteStackCommand)).toEqual([]);
});

const missing = Object.assign(new Error('Stack for it does not exist'), { name: 'ValidationError' });
const deleted = (StackName: string, StackId: string, day: number) => ({
  StackName,
  StackId,
  StackStatus: 'DELETE_COMPLETE' as const,
  CreationTime: new Date(0),
  DeletionTime: new Date(day * 86_400_000),
});

describe('after the last stack of the name was deleted', () => {
  beforeEach(() => {
    cloudFormation
      .on(DescribeStacksCommand)
      .rejects(missing)
      .on(DescribeStackResourcesCommand)
      .rejects(missing)
      .on(ListStacksCommand)
      .resolves({
        StackSummaries: [
          deleted('cuevault-prod', 'arn:before', 1),
          deleted('cuevault-prod', 'arn:gone', 2),
          deleted('cuevault-prod', 'arn:first', 0),
          deleted('other', 'arn:other', 3),
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
  });

  const refused = async (sentence: string) => {
    await expectRefused(sentence, '--with-data');
    for (const client of others) expect(client.calls()).toEqual([]);
  };

  test.each([{}, { production: 'false' }, { stage: 'dev', production: 'false' }])(
    'nothing is removed without the settings of the stage (%j)',
    async (given) => {
      settings(given);
      await refused('The last stack cuevault-prod that was deleted is not one of Cuevault');
    },
  );

  test('nothing is removed once another stack has adopted any of it', async () => {
    cloudFormation.on(DescribeStackResourcesCommand, { PhysicalResourceId: 'the-key' }).resolves({
      StackResources: [
        {
          ...listed('AWS::KMS::Key', 'VaultKey', 'the-key'),
          Timestamp: new Date(0),
          StackName: 'cuevault-live',
          StackId: 'arn:live',
        },
      ],
    });
    await refused('the-key now belongs to the stack cuevault-live. Nothing was removed.');
  });

  test('no backup of the table outlives it', async () => {
    dynamodb.on(DescribeTableCommand).resolves({ Table: { TableStatus: 'ACTIVE' } });
    s3.on(ListObjectVersionsCommand).resolves({});
    const { out } = await destroy('--with-data');
    expect(out).toContain('  removed  table: the-table');
    const [, , backups, table] = dynamodb.calls().map(({ args }) => args[0]);
    expect(backups).toBeInstanceOf(UpdateContinuousBackupsCommand);
    expect(backups?.input).toEqual({
      TableName: 'the-table',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
    });
    expect(table).toBeInstanceOf(DeleteTableCommand);
  });

  test('an interrupted removal is repeated: what is gone is passed over, and what fails is named', async () => {
    dynamodb.on(UpdateTableCommand).rejects(named('ResourceNotFoundException'));
    s3.on(ListObjectVersionsCommand)
      .resolves({})
      .on(ListObjectVersionsCommand, { Bucket: 'locked' })
      .resolves({
        Versions: [{ Key: 'a', VersionId: '1' }],
      });
    s3.on(DeleteObjectsCommand).resolves({ Errors: [{ Key: 'a', Message: 'Access Denied' }] });
    const { status, out, err } = await destroy('--with-data');
    expect([status, err, out.split('\n').slice(-5)]).toEqual([
      1,
      '',
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
});
