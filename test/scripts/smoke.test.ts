import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GenerateDataKeyWithoutPlaintextCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { LambdaClient, ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { mockClient as mockForNow } from 'aws-sdk-client-mock';
import { promptIdOf } from '../../lambdas/core/identifiers.ts';
import { findApiKey } from '../../lambdas/store/api-keys/api-key-row.ts';
import { isLive, readPromptHead } from '../../lambdas/store/prompts/head.ts';
import { beginSmoke, type Smoke } from '../../lambdas/store/smoke.ts';
import { readVaultHead } from '../../lambdas/store/vault/head.ts';
import { allEntries } from '../../lambdas/store/vault/locations.ts';
import { runChecks } from '../../scripts/aws/checks.ts';
import { type Deployment, roundTrip, smokeChecks } from '../../scripts/aws/smoke-checks.ts';
import { mockClient } from '../support/aws/mock-client.ts';
import { changesOf } from '../support/rows/audit.ts';
import { changeAt } from '../support/rows/table.ts';
import { withServer } from '../support/server.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';

process.env.AWS_REGION = 'eu-central-1';

const lambda = mockClient(LambdaClient);

withSharedInstance();
beforeEach(() => {
  lambda.reset();
});

/** Expects that the check with this title finds this level, and a text that matches. */
const expectFound = async (level: string, title: string, text = /(?:)/, apiUrl = instance.url) => {
  const deployment: Deployment = {
    stage: 'prod',
    stack: {
      stage: 'prod',
      name: 'cuevault-prod',
      id: 'arn:stack',
      status: 'CREATE_COMPLETE',
      output: (name) => name,
    },
    apiUrl,
    ids: new Map([
      ['AWS::DynamoDB::GlobalTable', ['table']],
      ['AWS::SNS::Topic', ['arn:topic']],
      ['AWS::Lambda::EventSourceMapping', ['mapping']],
      ['AWS::Lambda::Function', ['cuevault-prod-signagainFunction1A2B-C3']],
    ]),
    vaultKey: 'vault-key',
    signingKey: 'signing-key',
  };
  const [result] = await runChecks(smokeChecks(deployment).filter((check) => check.title === title));
  expect(result).toMatchObject({ level, text: expect.stringMatching(text) });
};

test.each([
  ['1', '0', 'warning', /not confirmed/],
  ['0', '0', 'warning', /reach nobody/],
  ['0', '1', 'ok', /^1 subscription$/],
])(
  'whoever has not confirmed the mails of alarms is told so (%s pending, %s confirmed)',
  async (pending, confirmed, level, text) => {
    mockForNow(SNSClient)
      .on(GetTopicAttributesCommand, { TopicArn: 'arn:topic' })
      .resolves({ Attributes: { SubscriptionsPending: pending, SubscriptionsConfirmed: confirmed } });
    await expectFound(level, 'alarms', text);
  },
);

test('every route of a running service rejects calls without credentials', () => expectFound('ok', 'routes'));

describe('API Gateway, if it fails by itself,', () => {
  const api = withServer((_, response) => response.writeHead(500).end('{"message":"Internal Server Error"}'));

  test('is named with the role and the field of the access log', () =>
    expectFound(
      'failure',
      'routes',
      / answered 500 by API Gateway.*"Invoker….*accessLog=true.*"integrationError"/,
      api.url,
    ));
});

const named = (name: string) => Object.assign(new Error(name), { name });

test('a key policy that does not deny the caller is a failure', async () => {
  const kms = mockForNow(KMSClient);
  kms.on(GenerateDataKeyWithoutPlaintextCommand, { DryRun: true }).rejects(named('AccessDeniedException'));
  kms.on(SignCommand, { DryRun: true }).rejects(named('AccessDeniedException'));
  await expectFound('ok', 'key policies');
  kms.on(SignCommand, { DryRun: true }).rejects(named('DryRunOperationException'));
  await expectFound('failure', 'key policies', /^Your credentials can use the signing key\./);
  kms.on(GenerateDataKeyWithoutPlaintextCommand).resolves({});
  await expectFound('failure', 'key policies', /the vault key and the signing key\./);
  kms.restore();
});

test('a table policy that does not deny the caller is a failure', async () => {
  const dynamodb = mockForNow(DynamoDBClient);
  dynamodb.on(DeleteItemCommand).rejects(named('AccessDeniedException'));
  await expectFound('ok', 'table policy');
  dynamodb.on(DeleteItemCommand).rejects(named('ConditionalCheckFailedException'));
  await expectFound('failure', 'table policy');
  dynamodb.restore();
});

test('a stream consumer that stopped is a failure', async () => {
  const mapping = { UUID: 'mapping', FunctionArn: 'arn:consumer', LastProcessingResult: 'OK' };
  const other = { UUID: 'other', State: 'Disabled' };
  const listed = (State: string) =>
    lambda
      .on(ListEventSourceMappingsCommand)
      .resolves({ EventSourceMappings: [{ ...mapping, State }, other] });
  listed('Enabled');
  await expectFound('ok', 'stream consumers');
  listed('Disabled');
  await expectFound('failure', 'stream consumers', /arn:consumer is Disabled/);
});

const ARN = 'arn:aws:sts::1:assumed-role/Deployer/ada';

const invoke = async (id: string, input: unknown): Promise<unknown> => {
  const outcome = await instance.invoke(id, { operator: ARN, input });
  const { reply } = outcome as { readonly reply?: { readonly res?: unknown; readonly err?: string } };
  if (reply?.err !== undefined) throw new Error(reply.err);
  return reply?.res;
};

const smokeKeys = async (): Promise<string[]> =>
  (await allEntries(instance.table, await readVaultHead(instance.table)))
    .map(({ key }) => key)
    .filter((key) => key.startsWith('cuevault-smoke/'));

/** Whether prompt, secret and key of a test can be used. */
const rest = async ({ name, keyId }: Smoke) => ({
  prompt: isLive(await readPromptHead(instance.table, promptIdOf(name))),
  secret: (await smokeKeys()).includes(name),
  key: (await findApiKey(instance.table, keyId))?.revokedAt === undefined,
});

const begin = async () => (await invoke('smoke', { do: 'begin' })) as Smoke;

/** Invokes the function, and notes what the checks have begun. */
const noted = () => {
  const begun: Smoke[] = [];
  const noting = async (id: string, input: unknown) => {
    const result = await invoke(id, input);
    if ((input as { do: string }).do === 'begin') begun.push(result as Smoke);
    return result;
  };
  return { begun, noting };
};

test('the real functions write, serve, change and audit what the check uses, and nothing of it stays', async () => {
  const { begun, noting } = noted();
  expect(await roundTrip(instance.url, { invoke: noting })).toMatchObject({ level: 'ok' });
  const [smoke] = begun;
  expect(await rest(smoke as Smoke)).toEqual({ prompt: false, secret: false, key: false });
  const changes = await changesOf(promptIdOf(smoke?.name ?? ''));
  expect(new Set(changes.map(({ actor }) => actor))).toEqual(new Set([ARN, `API key ${smoke?.name}`]));
});

test('a check that fails says what failed, and everything is still removed', async () => {
  const { begun, noting } = noted();
  expect(await roundTrip('http://127.0.0.1:1', { invoke: noting })).toMatchObject({
    level: 'failure',
    text: expect.stringMatching(
      /fetch failed.*The audit log lacks secret\.read, version\.publish, call\.refuse\./,
    ),
  });
  expect(await rest(begun[0] as Smoke)).toEqual({ prompt: false, secret: false, key: false });
});

test('what an interrupted check left is removed by the next one after ten minutes, when its key has expired', async () => {
  const at = new Date(Date.now() - 11 * 60_000);
  const left = await beginSmoke(instance.table, { ...changeAt(at), isAdmin: true });
  const read = await instance.post('/api/prompt/get-compiled', { name: left.name }, left.apiKey);
  expect([read.status, read.code]).toEqual([401, 'unauthenticated']);
  const recent = await begin();
  const other = await begin();
  expect(await rest(left)).toMatchObject({ prompt: false, secret: false });
  expect(await rest(recent)).toEqual({ prompt: true, secret: true, key: true });
  for (const { name, keyId, since } of [recent, other])
    await invoke('smoke', { do: 'end', name, keyId, since });
  expect(await smokeKeys()).toEqual([]);
});

test('whoever may invoke it gets a key for nothing but its prompt and secret, for ten minutes, and removes nothing else', async () => {
  const { name, keyId, since } = await begin();
  const limits = { permissions: ['prompts', 'secrets', 'publish'], prompts: [name], tags: [name] };
  const record = await findApiKey(instance.table, keyId);
  expect(record).toMatchObject({ ...limits, createdAt: since });
  expect(Date.parse(record?.expiresAt ?? '') - Date.parse(since)).toBe(600_000);
  const { keyId: victim } = await instance.newKey();
  await invoke('smoke', { do: 'end', name, keyId: victim, since });
  expect((await findApiKey(instance.table, victim))?.revokedAt).toBeUndefined();
  for (const wrong of ['greeting', 'cuevault-smoke/', `${name}/x`])
    await expect(invoke('smoke', { do: 'end', name: wrong, keyId, since })).rejects.toThrow('name');
});
