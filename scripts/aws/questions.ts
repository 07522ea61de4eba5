import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  waitUntilStackCreateComplete,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient, paginateListUsers } from '@aws-sdk/client-cognito-identity-provider';
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { counted } from '../counted.ts';
import type { Deployment } from './smoke-checks.ts';

const WATCHED_SECONDS = 180;

/** As for our consumers. */
const RETRIES = 50;

const ANSWER = 'exports.handler = async () => ({ statusCode: 200 });';

// Notes when it runs, and fails, except for its own notes.
const FAIL = `const { DynamoDBClient, UpdateItemCommand } = require('@aws-sdk/client-dynamodb');
exports.handler = async ({ Records: [{ dynamodb: { Keys } }] }) => {
  if (Keys.pk.S !== 'A') return;
  await new DynamoDBClient({}).send(new UpdateItemCommand({
    TableName: process.env.TABLE, Key: { pk: { S: 'TIMES' } },
    UpdateExpression: 'SET #at = list_append(if_not_exists(#at, :none), :now)', ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':none': { L: [] }, ':now': { L: [{ N: String(Date.now()) }] } },
  }));
  throw new Error('This is meant to fail.');
};`;

const roleOf = (principal: object, statements: object[], condition?: object) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: principal, ...condition }],
    },
    Policies: [
      {
        PolicyName: 'Question',
        PolicyDocument: { Statement: statements.map((each) => ({ Effect: 'Allow', ...each })) },
      },
    ],
  },
});

const functionOf = (ZipFile: string, role: string, TABLE: object = { Ref: 'AWS::StackName' }) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Runtime: 'nodejs24.x',
    Handler: 'index.handler',
    Code: { ZipFile },
    Role: { 'Fn::GetAtt': [role, 'Arn'] },
    Environment: { Variables: { TABLE } },
  },
});

const routeOf = (role: string) => ({
  [`${role}Integration`]: {
    Type: 'AWS::ApiGatewayV2::Integration',
    Properties: {
      ApiId: { Ref: 'Api' },
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: { 'Fn::GetAtt': ['Answer', 'Arn'] },
      CredentialsArn: { 'Fn::GetAtt': [role, 'Arn'] },
      PayloadFormatVersion: '2.0',
    },
  },
  [`${role}Route`]: {
    Type: 'AWS::ApiGatewayV2::Route',
    Properties: {
      ApiId: { Ref: 'Api' },
      RouteKey: `GET /${role}`,
      Target: { 'Fn::Sub': `integrations/\${${role}Integration}` },
    },
  },
});

const TABLE_ARN = { 'Fn::GetAtt': ['Table', 'Arn'] };
const LAMBDA = { Service: 'lambda.amazonaws.com' };
const GATEWAY = { Service: 'apigateway.amazonaws.com' };
const INVOKE = [{ Action: 'lambda:InvokeFunction', Resource: { 'Fn::GetAtt': ['Answer', 'Arn'] } }];
const key = (AttributeName: string) => [{ AttributeName, KeyType: 'HASH' }];
const outputs = (values: Record<string, object>) =>
  Object.fromEntries(Object.entries(values).map(([name, Value]) => [name, { Value }]));

/** Everything that the questions need: a table, two roles that call a function for an API, and a consumer that fails. */
const TEMPLATE = {
  Resources: {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['pk', 'other'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: key('pk'),
        GlobalSecondaryIndexes: [
          { IndexName: 'index', KeySchema: key('other'), Projection: { ProjectionType: 'ALL' } },
        ],
        StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
      },
    },
    Caller: roleOf({ AWS: { Ref: 'AWS::AccountId' } }, [
      {
        Action: ['dynamodb:PutItem', 'dynamodb:Query'],
        Resource: [TABLE_ARN, { 'Fn::Join': ['', [TABLE_ARN, '/index/index']] }],
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['A'] } },
      },
    ]),
    Plain: roleOf(GATEWAY, INVOKE),
    OfAccount: roleOf(GATEWAY, INVOKE, {
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    }),
    Worker: roleOf(LAMBDA, [
      { Action: 'dynamodb:UpdateItem', Resource: TABLE_ARN },
      {
        Action: ['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'].map(
          (each) => `dynamodb:${each}`,
        ),
        Resource: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
      },
    ]),
    Answer: functionOf(ANSWER, 'Worker'),
    Fail: functionOf(FAIL, 'Worker', { Ref: 'Table' }),
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        FunctionName: { Ref: 'Fail' },
        EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: 1,
        MaximumRetryAttempts: RETRIES,
      },
    },
    Api: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name: { Ref: 'AWS::StackName' }, ProtocolType: 'HTTP' },
    },
    Stage: {
      Type: 'AWS::ApiGatewayV2::Stage',
      Properties: { ApiId: { Ref: 'Api' }, StageName: '$default', AutoDeploy: true },
    },
    ...routeOf('Plain'),
    ...routeOf('OfAccount'),
  },
  Outputs: outputs({
    Table: { Ref: 'Table' },
    Caller: { 'Fn::GetAtt': ['Caller', 'Arn'] },
    Api: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] },
  }),
};

type Outputs = Readonly<Record<string, string>>;

/** What a call came to, in a word. */
const answerTo = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'allowed',
    ({ name }: Error) => (name.startsWith('AccessDenied') ? 'denied' : name),
  );

/** A client of the role that may name only keys of A. A new role can be assumed after some seconds. */
const asCaller = async (RoleArn: string): Promise<DynamoDBClient> => {
  for (let tries = 1; ; tries += 1)
    try {
      const { Credentials } = await new STSClient({}).send(
        new AssumeRoleCommand({ RoleArn, RoleSessionName: 'questions' }),
      );
      const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = Credentials ?? {};
      return new DynamoDBClient({
        credentials: {
          accessKeyId: AccessKeyId,
          secretAccessKey: SecretAccessKey,
          sessionToken: SessionToken,
        },
      });
    } catch (error) {
      if (tries === 12 || !/^AccessDenied/.test((error as Error).name)) throw error;
      await sleep(5_000);
    }
};

const leadingKeys = async ({ Table: TableName = '', Caller = '' }: Outputs): Promise<string[]> => {
  const client = await asCaller(Caller);
  const put = (pk: string) => ({ Put: { TableName, Item: { pk: { S: pk }, other: { S: pk } } } });
  const write = (...keys: string[]) =>
    answerTo(client.send(new TransactWriteItemsCommand({ TransactItems: keys.map(put) })));
  const query = (other: string) =>
    answerTo(
      client.send(
        new QueryCommand({
          TableName,
          IndexName: 'index',
          KeyConditionExpression: 'other = :other',
          ExpressionAttributeValues: { ':other': { S: other } },
        }),
      ),
    );
  const single = (pk: string) => answerTo(client.send(new PutItemCommand(put(pk).Put)));
  return [
    `LeadingKeys, of a role that may name A only:`,
    `  one item: A ${await single('A')}, B ${await single('B')}`,
    `  a transaction: of A ${await write('A')}, of B ${await write('B')}, of A and B ${await write('A', 'B')}`,
    `  a query of an index: of A ${await query('A')}, of B ${await query('B')}`,
  ];
};

const rolesOfApi = async ({ Api = '' }: Outputs): Promise<string[]> => {
  const status = async (role: string) => (await fetch(`${Api}/${role}`)).status;
  return [
    'An HTTP API that assumes the role of an integration:',
    `  a role that trusts API Gateway answers ${await status('Plain')}, one that also demands aws:SourceAccount ${await status('OfAccount')} (500: it is not sent)`,
  ];
};

const retries = async ({ Table: TableName = '' }: Outputs, seconds: number): Promise<string[]> => {
  await sleep(seconds * 1_000);
  const read = new GetItemCommand({ TableName, Key: { pk: { S: 'TIMES' } } });
  const { Item } = await new DynamoDBClient({}).send(read);
  const times = (Item?.at?.L ?? []).map(({ N }) => Number(N));
  const pauses = times.slice(1).map((at, index) => Math.round((at - (times[index] ?? at)) / 1_000));
  return [
    `A stream whose consumer fails, in ${seconds} seconds: ${counted(times.length, 'attempt')}, with these seconds between them:`,
    `  ${pauses.join(', ') || 'none'}`,
  ];
};

const verifiedAddresses = async ({ stack }: Deployment): Promise<string[]> => {
  const pages = paginateListUsers(
    { client: new CognitoIdentityProviderClient({}) },
    { UserPoolId: stack.output('UserPoolId'), Filter: 'cognito:user_status = "EXTERNAL_PROVIDER"' },
  );
  const verified = new Map<string, number>();
  for await (const { Users = [] } of pages)
    for (const { Attributes = [] } of Users) {
      const value = Attributes.find(({ Name }) => Name === 'email_verified')?.Value ?? 'absent';
      verified.set(value, (verified.get(value) ?? 0) + 1);
    }
  return [
    'email_verified of people who have signed in by the company, from which their tokens take it:',
    `  ${[...verified].map(([value, people]) => `${value}: ${people}`).join(', ') || 'nobody has; sign in by the company first'}`,
  ];
};

const STEPS = `By hand, in a stage for a trial:
  [        ] With -c passkeys=true, add a passkey in the account menu, sign out, and sign in with it alone. Did it work?
  [        ] Sign in by the company. How many minutes later does a reload of the sign-in page ask the provider again?`;

/** Each part of a report: what was observed, or why it was not. */
const observe = async (work: () => Promise<string[]>): Promise<string[]> =>
  work().catch((error: Error) => [`Not observed: ${error.name}: ${error.message}`]);

/**
 * Observes in this account what AWS does not document, and says it as a report. What that needs is one stack, which is removed,
 * whatever happens. It takes ten minutes and costs less than a cent. `watchedSeconds`: how long the retries of a stream are
 * watched. Errors: those of CloudFormation.
 */
export const answerQuestions = async (
  deployment: Deployment,
  watchedSeconds = WATCHED_SECONDS,
): Promise<string> => {
  const client = new CloudFormationClient({});
  const StackName = `cuevault-questions-${Date.now()}`;
  const wait = { client, maxWaitTime: 900, minDelay: 2, maxDelay: 10 };
  const create = {
    StackName,
    TemplateBody: JSON.stringify(TEMPLATE),
    Capabilities: ['CAPABILITY_IAM' as const],
  };
  const { StackId } = await client.send(new CreateStackCommand(create));
  try {
    await waitUntilStackCreateComplete(wait, { StackName });
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    const made = Object.fromEntries(
      (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
    const lines = [
      ...(await observe(() => leadingKeys(made))),
      ...(await observe(() => rolesOfApi(made))),
      ...(await observe(() => retries(made, watchedSeconds))),
      ...(await observe(() => verifiedAddresses(deployment))),
      STEPS,
    ];
    return lines.join('\n');
  } finally {
    await client.send(new DeleteStackCommand({ StackName }));
    await waitUntilStackDeleteComplete(wait, { StackName: StackId ?? StackName });
  }
};
