// npm run destroy [-- --stage NAME] [--with-data]: removes a deployment, and with it what a trial leaves behind.
import {
  CloudFormationClient,
  DeleteStackCommand,
  paginateListStacks,
  type StackSummary,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import {
  CognitoIdentityProviderClient,
  DeleteUserPoolCommand,
  DeleteUserPoolDomainCommand,
  DescribeUserPoolCommand,
  UpdateUserPoolCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  DeleteTableCommand,
  DynamoDBClient,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { KMSClient, ScheduleKeyDeletionCommand } from '@aws-sdk/client-kms';
import {
  DeleteBucketCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { readSettings } from '../../lib/settings.ts';
import { ask, OF_DEPLOYMENT, runWithArguments, say } from './command.ts';
import { resourcesOf } from './functions.ts';
import { deployedSettings } from './settings.ts';
import { CommandError, findStack, ownerOf, requireStage, stackName } from './stack.ts';

const USAGE = `Usage: npm run destroy -- [options]

Removes a deployment. Table, keys, operators and the sealed audit log stay, unless --with-data removes these, too: for good,
and never of a deployment for production. A removal that was interrupted can be repeated.`;

const OPTIONS = {
  ...OF_DEPLOYMENT,
  'with-data': { type: 'boolean', default: false, says: ['--with-data', 'remove all data, too'] },
  confirm: {
    type: 'string',
    says: ['--confirm NAME', 'the name of the stage, which is asked for otherwise'],
  },
} as const;

const cloudFormation = new CloudFormationClient({});

/** How long CloudFormation may take, in seconds: a distribution takes minutes. */
const LONGEST_SECONDS = 3_600;

const removeTable = async (TableName: string): Promise<void> => {
  const client = new DynamoDBClient({});
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await waitUntilTableExists({ client, maxWaitTime: 300 }, { TableName });
  // Otherwise AWS would keep a backup of the deleted table for 35 days.
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: false };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  await client.send(new DeleteTableCommand({ TableName }));
};

const removeKey = async (KeyId: string): Promise<void> => {
  await new KMSClient({}).send(new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: 7 }));
};

const removePool = async (UserPoolId: string): Promise<void> => {
  const client = new CognitoIdentityProviderClient({});
  const { UserPool } = await client.send(new DescribeUserPoolCommand({ UserPoolId }));
  if (UserPool?.Domain !== undefined)
    await client.send(new DeleteUserPoolDomainCommand({ UserPoolId, Domain: UserPool.Domain }));
  await client.send(new UpdateUserPoolCommand({ UserPoolId, DeletionProtection: 'INACTIVE' }));
  await client.send(new DeleteUserPoolCommand({ UserPoolId }));
};

const removeBucket = async (Bucket: string): Promise<void> => {
  const client = new S3Client({ forcePathStyle: process.env.AWS_ENDPOINT_URL !== undefined });
  // It denies everybody to delete objects. Their lock is one that an administrator can bypass.
  await client.send(new DeleteBucketPolicyCommand({ Bucket }));
  for (;;) {
    const { Versions = [], DeleteMarkers = [] } = await client.send(
      new ListObjectVersionsCommand({ Bucket }),
    );
    const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
    if (Objects.length === 0) break;
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects }, BypassGovernanceRetention: true }),
    );
    if (Errors[0] !== undefined) throw new Error(`${Errors[0].Key}: ${Errors[0].Message}`);
  }
  await client.send(new DeleteBucketCommand({ Bucket }));
};

/** What a removed stack leaves behind, by type, and how it is removed. */
const LEFT: readonly (readonly [type: RegExp, what: string, remove: (id: string) => Promise<void>])[] = [
  [/^AWS::Cognito::UserPool$/, 'operators', removePool],
  [/^AWS::DynamoDB::/, 'table', removeTable],
  [/^AWS::S3::Bucket$/, 'bucket', removeBucket],
  [/^AWS::KMS::Key$/, 'key, in seven days', removeKey],
];

/** Errors of what is gone, or will be. */
const GONE = /NotFound|NoSuchBucket|KMSInvalidState/;

const removeOne = async (
  what: string,
  id: string,
  remove: (id: string) => Promise<void>,
): Promise<string> => {
  try {
    await remove(id);
    return `  removed  ${what}: ${id}`;
  } catch (error) {
    const { name, message } = error as Error;
    if (GONE.test(name)) return `  gone     ${what}: ${id}`;
    process.exitCode = 1;
    return `  FAILURE  ${what}: ${id}: ${name}: ${message}`;
  }
};

/** The id of the last stack of this name that was deleted; undefined if there was none in the last 90 days. */
const deletedStack = async (name: string): Promise<string | undefined> => {
  const pages = paginateListStacks({ client: cloudFormation }, { StackStatusFilter: ['DELETE_COMPLETE'] });
  let last: StackSummary | undefined;
  for await (const { StackSummaries = [] } of pages)
    for (const each of StackSummaries)
      if (each.StackName === name && Number(each.DeletionTime) > Number(last?.DeletionTime ?? 0)) last = each;
  return last?.StackId;
};

/** Refuses what was adopted by another stack: it is live, and the settings of this one say nothing about it. */
const requireUnadopted = async (ids: readonly string[], stacks: readonly (string | undefined)[]) => {
  for (const id of ids) {
    const owner = await ownerOf(id);
    if (owner !== undefined && !stacks.includes(owner.StackId))
      throw new CommandError(`${id} now belongs to the stack ${owner.StackName}. Nothing was removed.`);
  }
};

const removeStack = async (StackName: string): Promise<void> => {
  await cloudFormation.send(new DeleteStackCommand({ StackName }));
  const wait = { client: cloudFormation, maxWaitTime: LONGEST_SECONDS, minDelay: 2, maxDelay: 10 };
  await waitUntilStackDeleteComplete(wait, { StackName });
};

/** The stack of a stage, or the last that was removed: its id and settings, and whether it exists. */
const stackOf = async (stage: string, withData: boolean) => {
  const name = stackName(stage);
  const stack = await findStack(stage);
  if (stack !== undefined && stack.stage !== stage)
    throw new CommandError(`${name} is not a stack of Cuevault: it lacks the tag with its stage.`);
  const id = stack?.id ?? (withData ? await deletedStack(name) : undefined);
  if (id === undefined) throw new CommandError(`There is no stack ${name} in this account and region.`);
  const settings = await deployedSettings({ name: id });
  if (stack === undefined && settings.stage !== stage)
    throw new CommandError(
      `The last stack ${name} that was deleted is not one of Cuevault: it lacks the settings of its stage.`,
    );
  return { id, exists: stack !== undefined, ...readSettings((each) => ({ stage, ...settings })[each]) };
};

await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values }) => {
  const withData = values['with-data'];
  const stage = await requireStage(values.stage);
  const { id, exists, production } = await stackOf(stage, withData);
  if (production)
    throw new CommandError(
      withData
        ? `${stage} is for production: its data is never removed by this command.`
        : `${stage} is for production: deploy it with -c production=false --accept-removal production first.`,
    );
  const resources = withData ? await resourcesOf(id) : [];
  const left = LEFT.flatMap(([type, what, remove]) =>
    resources.flatMap(({ ResourceType = '', PhysicalResourceId }) =>
      type.test(ResourceType) && PhysicalResourceId ? [{ what, id: PhysicalResourceId, remove }] : [],
    ),
  );
  await requireUnadopted(
    left.map((each) => each.id),
    [id, ...resources.map((each) => each.PhysicalResourceId)],
  );
  say(
    withData
      ? `This removes the stage ${stage} and all its data, which nobody can bring back:\n${left.map((each) => `  ${each.what}: ${each.id}`).join('\n')}`
      : `This removes the stage ${stage}. Table, keys, operators and the sealed audit log stay.`,
  );
  const typed = values.confirm ?? (await ask('Name the stage to go on: ', `Add --confirm ${stage}.`));
  if (typed !== stage) throw new CommandError('That is not its name. Nothing was removed.');
  if (exists) await removeStack(id);
  const removed: string[] = [];
  for (const each of left) removed.push(await removeOne(each.what, each.id, each.remove));
  return ['The stack is removed.', ...removed].join('\n');
});
