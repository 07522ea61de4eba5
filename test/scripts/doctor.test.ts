import { BedrockClient, GetFoundationModelAvailabilityCommand } from '@aws-sdk/client-bedrock';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
  type Stack,
  UpdateTerminationProtectionCommand,
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
import { readSettings, SETTINGS_METADATA } from '../../lib/settings.ts';
import { examine, qualifierOf, stageOf } from '../../scripts/aws/doctor-checks.ts';
import { monthlyDollars, nextStage } from '../../scripts/aws/settings.ts';
import { pricedResources } from '../bench/idle.ts';
import { mockClient } from '../support/aws/mock-client.ts';
import { described, listed } from '../support/aws/stack.ts';
import { runHere } from '../support/processes/process.ts';

process.env.AWS_REGION = 'eu-central-1';

const sts = mockClient(STSClient);
const ssm = mockClient(SSMClient);
const lambda = mockClient(LambdaClient);
const cloudFront = mockClient(CloudFrontClient);
const cloudFormation = mockClient(CloudFormationClient);
const cloudTrail = mockClient(CloudTrailClient);
const tagging = mockClient(ResourceGroupsTaggingAPIClient);
const documents = mockClient(DynamoDBDocumentClient);
const bedrock = mockClient(BedrockClient);
const services = [sts, ssm, lambda, cloudFront, cloudFormation, cloudTrail, tagging, bedrock];
const clients = [...services, documents];

beforeEach(() => {
  for (const client of clients) client.reset();
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
  cloudFormation.on(DescribeStacksCommand).resolves(described());
  cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody: '{}' });
  // As after an adoption: a stack with a table, and without functions.
  cloudFormation
    .on(ListStackResourcesCommand)
    .resolves({ StackResourceSummaries: [listed('AWS::DynamoDB::GlobalTable', 'Table', 'the-table')] });
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

test('a model that the account may not use is named, of a profile the model that it sends to', async () => {
  expect((await examine('prod')).text).toMatch(/ok {7}models: the setting names none/);
  const settings = { stage: 'prod', models: 'amazon.a,eu.amazon.b=eu-central-1+eu-west-1' };
  const TemplateBody = JSON.stringify({ Metadata: { [SETTINGS_METADATA]: settings } });
  cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody });
  const answer = (modelId: string, status: 'AVAILABLE' | 'NOT_AVAILABLE') =>
    bedrock.on(GetFoundationModelAvailabilityCommand, { modelId }).resolves({
      modelId,
      agreementAvailability: { status },
      authorizationStatus: 'AUTHORIZED',
      entitlementAvailability: 'AVAILABLE',
      regionAvailability: 'AVAILABLE',
    });
  answer('amazon.a', 'AVAILABLE');
  answer('amazon.b', 'NOT_AVAILABLE');
  expect((await examine('prod')).text).toMatch(/WARNING {2}models: The account may not use amazon\.b yet/);
  answer('amazon.b', 'AVAILABLE');
  expect((await examine('prod')).text).toContain('the account may use 2 models of the setting');
});

const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
const missing = new ParameterNotFound({ message: '', $metadata: {} });
const limit = (ConcurrentExecutions: number) =>
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions } });
const later = { version: 1, newest: FORMATS.newest + 1 };

test.each<[string, boolean, () => unknown, RegExp]>([
  [
    'an old bootstrap stack',
    true,
    () => ssm.on(GetParameterCommand).resolves({ Parameter: { Value: '5' } }),
    /has version 5; 6 is required.*npx cdk bootstrap --qualifier hnb659fds/,
  ],
  [
    'a stack whose creation was rolled back',
    true,
    () => cloudFormation.on(DescribeStacksCommand).resolves(described('ROLLBACK_COMPLETE')),
    /aws cloudformation delete-stack --stack-name cuevault-prod/,
  ],
  [
    'a table with rows that this release cannot read',
    true,
    () => documents.on(GetCommand, { TableName: 'the-table' }).resolves({ Item: later }),
    /FAILURE {2}stored format: .* format \d+; .*Use the release that wrote them/,
  ],
  [
    'few functions at once',
    false,
    () => limit(50),
    /WARNING {2}Lambda: Lambda runs at most 50 functions at once/,
  ],
  [
    'a new account without CloudFront',
    false,
    () => cloudFront.on(ListDistributionsCommand).resolves({}),
    /WARNING {2}CloudFront: .*open a support case/,
  ],
  [
    'a missing read permission',
    false,
    () => lambda.on(GetAccountSettingsCommand).rejects(denied),
    /WARNING {2}Lambda: This could not be checked\. AccessDeniedException: no/,
  ],
])('%s fails (%s), or is a warning, with what to do', async (_, failed, arrange, sentence) => {
  arrange();
  expect(await examine('prod')).toMatchObject({ failed, text: expect.stringMatching(sentence) });
});

test.each<[string, () => unknown, string, RegExp]>([
  [
    'the concurrency limit of a new account',
    () => limit(10),
    'Lambda',
    /Lambda: .*aws service-quotas request-service-quota-increase .*L-B99A9384/,
  ],
  [
    'an account without a trail that is recording',
    () => cloudTrail.on(GetTrailStatusCommand).resolves({ IsLogging: false }),
    'CloudTrail',
    /CloudTrail: .*No trail records this region/,
  ],
])(
  '%s, as every new account has it, is a warning for a trial; in production it is taken by its name',
  async (_, arrange, name, sentence) => {
    arrange();
    const { text, failed } = await examine('dev');
    expect([failed, text]).toEqual([false, expect.stringMatching(sentence)]);
    expect(text).toContain(`WARNING  ${name}`);
    const refused = expect.stringMatching(new RegExp(`FAILURE {2}${name}: .*add --accept ${name}`));
    expect(await examine('live', { production: true })).toMatchObject({ failed: true, text: refused });
    expect(await examine('live', { production: true, accepted: [name] })).toMatchObject({
      failed: false,
      text: expect.stringContaining(`${name}: Accepted: `),
    });
  },
);

test('a name that no check has is an error', async () => {
  await expect(examine('live', { production: true, accepted: ['Trail'] })).rejects.toThrow(
    '--accept Trail accepts nothing. It can be Lambda or CloudTrail.',
  );
});

describe('the stage of a deployment that names none', () => {
  const stacks = (...stages: string[]) =>
    cloudFormation.on(DescribeStacksCommand).resolves({
      Stacks: stages.flatMap((Value) => [
        { ...described().Stacks[0], Tags: [{ Key: 'cuevault:stage', Value }] } as Stack,
        // A nested one.
        { ...described().Stacks[0], ParentId: 'arn:now', Tags: [{ Key: 'cuevault:stage', Value }] } as Stack,
      ]),
    });

  test('is dev in an account without another, so that the same line upgrades', async () => {
    stacks();
    expect(await nextStage(undefined)).toBe('dev');
    stacks('dev');
    expect(await nextStage(undefined)).toBe('dev');
    expect(await nextStage('qa')).toBe('qa');
  });

  test('is refused where there are others, with their names; only checking takes the only one', async () => {
    stacks('live');
    await expect(nextStage(undefined)).rejects.toThrow('already have live. Name the one');
    expect(await nextStage(undefined, true)).toBe('live');
    stacks('live', 'qa');
    await expect(nextStage(undefined, true)).rejects.toThrow('already have live, qa.');
  });
});

test('the bootstrap stack is that of the qualifier; without one, the deployment makes it', async () => {
  ssm.on(GetParameterCommand).rejects(missing);
  ssm
    .on(GetParameterCommand, { Name: '/cdk-bootstrap/ours/version' })
    .resolves({ Parameter: { Value: '30' } });
  const qualifier = qualifierOf(['-c', '@aws-cdk/core:bootstrapQualifier=ours']);
  expect((await examine('prod', { qualifier })).text).toContain('ok       CDK bootstrap: version 30');
  expect(await examine('prod', { qualifier: 'theirs' })).toMatchObject({
    failed: false,
    text: expect.stringMatching(
      /WARNING {2}CDK bootstrap: .*not bootstrapped for CDK\. "npm run deploy" does it/,
    ),
  });
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
        listed('AWS::DynamoDB::GlobalTable', 'Table', 'the-table'),
        listed('AWS::KMS::Key', 'VaultKey', 'the-key'),
        listed('AWS::S3::Bucket', 'SealedLog', 'the-bucket'),
        listed('AWS::CloudFormation::Stack', 'Nested', 'arn:nested'),
      ],
    })
    .on(ListStackResourcesCommand, { StackName: 'arn:nested' })
    .resolves({
      StackResourceSummaries: [listed('AWS::Logs::LogGroup', 'Log', '/aws/vendedlogs/the-log')],
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

test('the stage is that of the arguments of the deployment', () => {
  expect(stageOf(['-c', 'stage=staging', '-c', 'accessDays=8'])).toBe('staging');
  expect(stageOf(['--context', 'stage=dev', '--require-approval', 'never'])).toBe('dev');
  expect(stageOf(['--stage', 'qa'])).toBe('qa');
  expect(stageOf([])).toBeUndefined();
});

test.each([
  ['--help', 0, /^Usage: npm run deploy/, /^$/],
  ['-c auditDay=1', 1, /^$/, /There is no setting "auditDay"\. Did you mean "auditDays"\?/],
  ['-c auditDays=0', 1, /^$/, /The setting "auditDays" must be a whole number/],
  ['-c adopt=true', 1, /^$/, /it is for cdk import only/],
])('npm run deploy -- %s answers before AWS is asked', async (args, status, out, err) => {
  expect(await runHere('scripts/aws/deploy.ts', args.split(' '))).toEqual({
    status,
    out: expect.stringMatching(out),
    err: expect.stringMatching(err),
  });
  for (const client of clients) expect(client.calls()).toEqual([]);
});

test.each([
  [{ stage: 'prod' }, true],
  [{ stage: 'prod', production: 'true' }, false],
])(
  'a deployment with %j is protected from deletion, or no longer, before anything else can fail',
  async (deployed, EnableTerminationProtection) => {
    const TemplateBody = JSON.stringify({ Metadata: { [SETTINGS_METADATA]: deployed } });
    cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody });
    const { execPath } = process;
    // In place of Node, which would run the CDK CLI.
    process.execPath = 'true';
    const change = EnableTerminationProtection
      ? []
      : ['-c', 'production=false', '--accept-removal', 'production'];
    const args = ['--stage', 'prod', '--yes', ...change];
    const { status, err } = await runHere('scripts/aws/deploy.ts', args).finally(() => {
      process.execPath = execPath;
    });
    expect([status, err]).toEqual([1, expect.stringContaining('has no output "ApiUrl"')]);
    expect(
      cloudFormation.commandCalls(UpdateTerminationProtectionCommand).map(({ args }) => args[0].input),
    ).toEqual([{ StackName: 'cuevault-prod', EnableTerminationProtection }]);
  },
);

test('a deployment says what it costs as its template does', () => {
  for (const settings of [{}, { alarmEmail: 'oncall@example.com' }]) {
    const priced = pricedResources(settings).reduce((sum, { dollars }) => sum + dollars, 0.28);
    const read = readSettings((name) => new Map(Object.entries({ stage: 'dev', ...settings })).get(name));
    expect(monthlyDollars(read)).toBeCloseTo(priced, 2);
  }
});
