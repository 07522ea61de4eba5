import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { CognitoIdentityProviderClient, ListUsersCommand } from '@aws-sdk/client-cognito-identity-provider';
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { answerQuestions } from '../../scripts/aws/questions.ts';
import type { Deployment } from '../../scripts/aws/smoke-checks.ts';
import { mockClient } from '../support/aws/mock-client.ts';
import { withServer } from '../support/server.ts';

process.env.AWS_REGION = 'eu-central-1';

const cloudFormation = mockClient(CloudFormationClient);
const dynamodb = mockClient(DynamoDBClient);
const cognito = mockClient(CognitoIdentityProviderClient);
const sts = mockClient(STSClient);
// Answers as API Gateway does if it sends no aws:SourceAccount.
const api = withServer(({ url }, response) => response.writeHead(url === '/OfAccount' ? 500 : 200).end());

const deployment = { stack: { output: () => 'the-pool' } } as unknown as Deployment;
const named = (name: string) => Object.assign(new Error(name), { name });
const described = (StackStatus: string) => ({
  Stacks: [
    {
      StackName: 'x',
      StackStatus: StackStatus as 'CREATE_COMPLETE',
      CreationTime: new Date(0),
      Outputs: Object.entries({ Table: 'the-table', Caller: 'arn:caller', Api: api.url }).map(
        ([OutputKey, OutputValue]) => ({
          OutputKey,
          OutputValue,
        }),
      ),
    },
  ],
});

beforeEach(() => {
  for (const client of [cloudFormation, dynamodb, cognito, sts]) client.reset();
  cloudFormation.on(CreateStackCommand).resolves({ StackId: 'arn:questions' });
  cloudFormation.on(DeleteStackCommand).resolves({});
  cloudFormation.on(DescribeStacksCommand).callsFake(async () => {
    const isDeleted = cloudFormation.commandCalls(DeleteStackCommand).length > 0;
    return described(isDeleted ? 'DELETE_COMPLETE' : 'CREATE_COMPLETE');
  });
  sts.on(AssumeRoleCommand).resolves({
    Credentials: { AccessKeyId: 'a', SecretAccessKey: 'b', SessionToken: 'c', Expiration: new Date() },
  });
  const denied = (text: string) => async (input: object) => {
    if (JSON.stringify(input).includes(text)) throw named('AccessDeniedException');
    return {};
  };
  dynamodb.on(PutItemCommand).callsFake(denied('"S":"B"'));
  dynamodb.on(TransactWriteItemsCommand).callsFake(denied('"S":"B"'));
  dynamodb.on(QueryCommand).callsFake(denied('never'));
  dynamodb
    .on(GetItemCommand)
    .resolves({ Item: { at: { L: [0, 1_000, 3_000, 7_000].map((N) => ({ N: String(N) })) } } });
  const person = (value: string) => ({ Attributes: [{ Name: 'email_verified', Value: value }] });
  cognito.on(ListUsersCommand).resolves({ Users: [person('false'), person('false'), {}] });
});

test('the report says what was observed, leaves boxes for what somebody must do, and removes its stack', async () => {
  const report = await answerQuestions(deployment, 0);
  expect(report.split('\n').slice(0, -3)).toEqual([
    'LeadingKeys, of a role that may name A only:',
    '  one item: A allowed, B denied',
    '  a transaction: of A allowed, of B denied, of A and B denied',
    '  a query of an index: of A allowed, of B allowed',
    'An HTTP API that assumes the role of an integration:',
    '  a role that trusts API Gateway answers 200, one that also demands aws:SourceAccount 500 (500: it is not sent)',
    'A stream whose consumer fails, in 0 seconds: 4 attempts, with these seconds between them:',
    '  1, 2, 4',
    'email_verified of people who have signed in by the company, from which their tokens take it:',
    '  false: 2, absent: 1',
  ]);
  expect(report.match(/\[ {8}\]/g)).toHaveLength(2);
  const [created] = cloudFormation.commandCalls(CreateStackCommand);
  const [deleted] = cloudFormation.commandCalls(DeleteStackCommand);
  expect(deleted?.args[0].input.StackName).toBe(created?.args[0].input.StackName);
});

test('what cannot be observed is said, the rest is still observed, and nothing is left behind', async () => {
  sts.on(AssumeRoleCommand).rejects(named('MalformedPolicy'));
  dynamodb.on(GetItemCommand).rejects(named('ResourceNotFoundException'));
  const report = await answerQuestions(deployment, 0);
  expect(report).toMatch(/^Not observed: MalformedPolicy/);
  expect(report).toContain('answers 200');
  expect(report).toContain('Not observed: ResourceNotFoundException');
  expect(cloudFormation.commandCalls(DeleteStackCommand)).toHaveLength(1);
});

test('a stack that is not created is removed, too', async () => {
  cloudFormation
    .on(DescribeStacksCommand)
    .resolvesOnce(described('ROLLBACK_COMPLETE'))
    .resolves(described('DELETE_COMPLETE'));
  await expect(answerQuestions(deployment, 0)).rejects.toThrow('ROLLBACK_COMPLETE');
  expect(cloudFormation.commandCalls(DeleteStackCommand)).toHaveLength(1);
});

test('its template lets nobody but this account in, retains nothing, and names what it creates by itself', async () => {
  await answerQuestions(deployment, 0);
  const [created] = cloudFormation.commandCalls(CreateStackCommand);
  const template = created?.args[0].input.TemplateBody ?? '';
  expect(template).not.toMatch(/Retain|DeletionProtection|"Principal":"\*"|"(Table|Role)Name":/);
  expect(template).toContain('"Principal":{"AWS":{"Ref":"AWS::AccountId"}}');
});
