import { spawnSync } from 'node:child_process';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { CloudFrontClient, ListDistributionsCommand } from '@aws-sdk/client-cloudfront';
import { CloudTrailClient, DescribeTrailsCommand, GetTrailStatusCommand } from '@aws-sdk/client-cloudtrail';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetResourcesCommand,
  ResourceGroupsTaggingAPIClient,
} from '@aws-sdk/client-resource-groups-tagging-api';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { FORMATS } from '../../lambdas/store/format.ts';
import { examine, qualifierOf, stageOf } from '../../scripts/aws/doctor-checks.ts';
import { mockClient } from '../support/aws/mock-client.ts';

process.env.AWS_REGION = 'eu-central-1';

const sts = mockClient(STSClient);
const ssm = mockClient(SSMClient);
const lambda = mockClient(LambdaClient);
const cloudFront = mockClient(CloudFrontClient);
const cloudFormation = mockClient(CloudFormationClient);
const cloudTrail = mockClient(CloudTrailClient);
const tagging = mockClient(ResourceGroupsTaggingAPIClient);

const documents = mockClient(DynamoDBDocumentClient);

const stackIn = (StackStatus: 'CREATE_COMPLETE' | 'ROLLBACK_COMPLETE') =>
  cloudFormation.on(DescribeStacksCommand).resolves({
    Stacks: [{ StackName: 'cuevault-prod', StackId: 'arn:now', StackStatus, CreationTime: new Date(0) }],
  });

const resource = (ResourceType: string, LogicalResourceId: string, PhysicalResourceId: string) => ({
  ...{ ResourceType, LogicalResourceId, PhysicalResourceId },
  ...{ ResourceStatus: 'CREATE_COMPLETE' as const, LastUpdatedTimestamp: new Date(0) },
});

beforeEach(() => {
  for (const client of [cloudTrail, sts, ssm, lambda, cloudFront, cloudFormation, tagging, documents])
    client.reset();
  sts
    .on(GetCallerIdentityCommand)
    .resolves({ Account: '123456789012', Arn: 'arn:aws:iam::123456789012:user/ada' });
  ssm.on(GetParameterCommand).resolves({ Parameter: { Value: '30' } });
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions: 1_000 } });
  cloudFront.on(ListDistributionsCommand).resolves({
    DistributionList: { Quantity: 1, Marker: '', MaxItems: 1, IsTruncated: false },
  });
  cloudTrail.on(DescribeTrailsCommand).resolves({ trailList: [{ Name: 'all', TrailARN: 'arn:trail' }] });
  cloudTrail.on(GetTrailStatusCommand).resolves({ IsLogging: true });
  tagging.on(GetResourcesCommand).resolves({ ResourceTagMappingList: [] });
  stackIn('CREATE_COMPLETE');
  cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody: '{"Resources":{}}' });
  // As after an adoption: a stack with a table, and without functions.
  cloudFormation
    .on(ListStackResourcesCommand)
    .resolves({ StackResourceSummaries: [resource('AWS::DynamoDB::GlobalTable', 'Table', 'the-table')] });
  documents.on(GetCommand, { TableName: 'the-table' }).resolves({ Item: { version: FORMATS.written } });
});

test('an account that is ready passes, and its full number is not shown', async () => {
  const { text, failed } = await examine('prod');
  expect(failed).toBe(false);
  expect(text).not.toMatch(/WARNING|FAILURE|123456789012/);
});

test('another partition fails, and nothing else is checked', async () => {
  sts.on(GetCallerIdentityCommand).resolves({ Account: '1', Arn: 'arn:aws-cn:iam::1:user/ada' });
  const { text, failed } = await examine('prod');
  expect([text.split('\n').length, failed]).toEqual([1, true]);
  expect(text).toContain('the partition "aws-cn"');
});

test.each([
  ['5', 'has version 5; 6 is required'],
  [undefined, 'not bootstrapped for CDK'],
])('a bootstrap stack of version %s fails, with the command to run', async (Value, sentence) => {
  if (Value === undefined)
    ssm.on(GetParameterCommand).rejects(new ParameterNotFound({ message: '', $metadata: {} }));
  else ssm.on(GetParameterCommand).resolves({ Parameter: { Value } });
  const { text, failed } = await examine('prod');
  expect(failed).toBe(true);
  expect(text).toContain(sentence);
  expect(text).toContain('npm run bootstrap');
});

test('a stack whose creation was rolled back fails, with the command that deletes it', async () => {
  stackIn('ROLLBACK_COMPLETE');
  const { text, failed } = await examine('prod');
  expect(failed).toBe(true);
  expect(text).toContain('aws cloudformation delete-stack --stack-name cuevault-prod');
});

test('a table with rows that this release cannot read fails, with the release to deploy instead', async () => {
  const newest = FORMATS.newest + 1;
  documents.on(GetCommand, { TableName: 'the-table' }).resolves({ Item: { version: 1, newest } });
  const { text, failed } = await examine('prod');
  expect(failed).toBe(true);
  expect(text).toMatch(/FAILURE {2}stored format: .* format \d+; .*Use the release that wrote them/);
});

test('the limits of a new account are warnings', async () => {
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions: 50 } });
  cloudFront.on(ListDistributionsCommand).resolves({});
  const { text, failed } = await examine('prod');
  expect(failed).toBe(false);
  expect(text).toMatch(/WARNING {2}Lambda: Lambda runs at most 50 functions at once/);
  expect(text).toMatch(/WARNING {2}CloudFront: .*open a support case/);
});

test('the concurrency limit of a new account fails, with the command that raises it', async () => {
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions: 10 } });
  const { text, failed } = await examine('prod');
  expect(failed).toBe(true);
  expect(text).toMatch(/FAILURE {2}Lambda: .*aws service-quotas request-service-quota-increase .*L-B99A9384/);
});

test('an account without a trail that is recording fails', async () => {
  cloudTrail.on(GetTrailStatusCommand).resolves({ IsLogging: false });
  const { text, failed } = await examine('prod');
  expect(failed).toBe(true);
  expect(text).toMatch(/FAILURE {2}CloudTrail: No trail records this region/);
});

test('the bootstrap stack is that of the qualifier', async () => {
  ssm.on(GetParameterCommand).rejects(new ParameterNotFound({ message: '', $metadata: {} }));
  ssm
    .on(GetParameterCommand, { Name: '/cdk-bootstrap/ours/version' })
    .resolves({ Parameter: { Value: '30' } });
  expect((await examine('prod', qualifierOf(['-c', '@aws-cdk/core:bootstrapQualifier=ours']))).failed).toBe(
    false,
  );
  expect((await examine('prod', 'theirs')).text).toContain('npm run bootstrap -- --qualifier theirs');
});

// As AWS tags them: CloudFormation sets tags of its own on some types, and none on keys and global tables.
const tagged = (ResourceARN: string, stackId?: string) => ({
  ResourceARN,
  Tags: [
    { Key: 'cuevault:stage', Value: 'prod' },
    ...(stackId === undefined ? [] : [{ Key: 'aws:cloudformation:stack-id', Value: stackId }]),
  ],
});
const arnOf = (name: string): string => `arn:aws:kms:eu-central-1:123456789012:key/${name}`;
const HEALTHY = [
  tagged('arn:aws:dynamodb:eu-central-1:123456789012:table/the-table'),
  tagged(arnOf('the-key')),
  tagged('arn:aws:s3:::the-bucket', 'arn:now'),
  tagged('arn:aws:logs:eu-central-1:123456789012:log-group:/aws/vendedlogs/the-log', 'arn:now'),
];

test('nothing of a healthy stack counts as left behind, its keys and nested stacks included', async () => {
  cloudFormation
    .on(ListStackResourcesCommand)
    .resolves({
      StackResourceSummaries: [
        resource('AWS::DynamoDB::GlobalTable', 'Table', 'the-table'),
        resource('AWS::KMS::Key', 'VaultKey', 'the-key'),
        resource('AWS::S3::Bucket', 'SealedLog', 'the-bucket'),
        resource('AWS::CloudFormation::Stack', 'Nested', 'arn:nested'),
      ],
    })
    .on(ListStackResourcesCommand, { StackName: 'arn:nested' })
    .resolves({
      StackResourceSummaries: [resource('AWS::Logs::LogGroup', 'Log', '/aws/vendedlogs/the-log')],
    });
  tagging.on(GetResourcesCommand).resolves({ ResourceTagMappingList: HEALTHY });
  expect((await examine('prod')).text).toContain('ok       retained resources: none');
});

test('what an earlier deployment left behind is listed from every page, and nobody is told to delete it', async () => {
  tagging
    .on(GetResourcesCommand)
    .resolvesOnce({ ResourceTagMappingList: HEALTHY.slice(0, 1), PaginationToken: 'more' })
    .resolves({ ResourceTagMappingList: [tagged(arnOf('former-key'))] });
  const { text } = await examine('prod');
  expect(text).toMatch(/WARNING {2}retained resources: 1 resource of(.|\n)*key\/former-key/);
  expect(text).not.toMatch(/the-table|delete/i);
});

test('missing read permissions are a warning', async () => {
  lambda
    .on(GetAccountSettingsCommand)
    .rejects(Object.assign(new Error('no'), { name: 'AccessDeniedException' }));
  const { text, failed } = await examine('prod');
  expect(failed).toBe(false);
  expect(text).toContain('WARNING  Lambda: This could not be checked. AccessDeniedException: no');
});

test('the stage is that of the arguments of the deployment', () => {
  expect(stageOf(['-c', 'stage=staging', '-c', 'shards=8'])).toBe('staging');
  expect(stageOf(['--context', 'stage=dev', '--require-approval', 'never'])).toBe('dev');
  expect(stageOf(['--stage', 'qa'])).toBe('qa');
  expect(stageOf([])).toBe('prod');
});

test('a template for an adoption is never deployed', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/aws/deploy.ts', '-c', 'adopt=true'], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('it is for cdk import only');
});
