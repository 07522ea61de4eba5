import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFrontClient, GetDistributionConfigCommand } from '@aws-sdk/client-cloudfront';
import { CloudTrailClient, CreateTrailCommand, StartLoggingCommand } from '@aws-sdk/client-cloudtrail';
import {
  CognitoIdentityProviderClient,
  DescribeUserPoolCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ListObjectVersionsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { examplesOf } from '../../contract/documentation/samples.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { ERROR_STATUS, HEADERS } from '../../contract/http/errors.ts';
import { ORIGIN_SECRET } from '../../contract/http/security-headers.ts';
import { PARTITIONS } from '../../contract/table.ts';
import { FORMATS } from '../../lambdas/store/format.ts';
import { putItem } from '../../lambdas/store/table.ts';
import { newFolder } from '../support/new-folder.ts';
import { adopt, deploy, deployByCommand, destroy, inspect } from './deployment.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { signIn } from './sign-in.ts';

type Deployed = Awaited<ReturnType<typeof inspect>>;

let emulator: Emulator;
let first: Deployed;
let token: string;
let apiKey: string;

beforeAll(async () => {
  emulator = await startEmulator();
}, 600_000);
afterAll(() => emulator?.stop());

const idOf = ({ resources }: Deployed, type: string): string =>
  Object.values(resources).find((resource) => resource.type === type)?.id ?? '';

/** The name of the function whose logical id begins so. */
const functionOf = (start: string): string =>
  Object.entries(first.resources).find(
    ([logicalId, { type }]) => type === 'AWS::Lambda::Function' && logicalId.startsWith(start),
  )?.[1].id ?? '';

const apiUrl = (): string =>
  `${emulator.url}/_aws/execute-api/${idOf(first, 'AWS::ApiGatewayV2::Api')}/$default`;

const call = async (
  method: string,
  path: string,
  bearer: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) => {
  const response = await fetch(apiUrl() + path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: JSON.parse(text === '' ? 'null' : text),
  };
};

const succeed = async (...args: Parameters<typeof call>) => {
  const { status, json } = await call(...args);
  expect([status, json.err]).toEqual([200, null]);
  return json.res;
};

test('an account that is not bootstrapped is reported before the deployment', async () => {
  expect(await emulator.node('scripts/aws/doctor.ts', '--stage', 'test')).toMatchObject({
    status: 0,
    output: expect.stringMatching(/not bootstrapped for CDK\. "npm run deploy"/),
  });
}, 600_000);

test('the stack deploys into an empty account', async () => {
  expect(await emulator.cdk('bootstrap', 'aws://000000000000/us-east-1')).toMatchObject({
    status: 0,
    output: expect.stringContaining('bootstrapped'),
  });
  expect(await deploy(emulator)).toMatchObject({ status: 0, output: expect.stringContaining('ApiUrl') });
  first = await inspect(emulator);
  expect(first.status).toBe('CREATE_COMPLETE');
}, 600_000);

test('a deployment keeps the settings of the stack, and takes nothing away unless that is accepted', async () => {
  const trail = new CloudTrailClient(emulator.client);
  await trail.send(new CreateTrailCommand({ Name: 'all', S3BucketName: 'trail' }));
  await trail.send(new StartLoggingCommand({ Name: 'all' }));
  const given = ['accessDays=100', 'alarmEmail=ada@example.com', 'signingKeys=1,2', 'auditDays=500'];
  expect(await deployByCommand(emulator, ...given)).toMatchObject({
    status: 0,
    output: expect.stringContaining('accessDays: the default -> 100'),
  });
  const kept = await deployByCommand(emulator, 'throttleRate=70');
  expect([kept.status, kept.output]).toEqual([0, expect.stringContaining('  signingKeys: 1,2\n')]);
  for (const setting of given) expect(kept.output).toContain(`  ${setting.replace('=', ': ')}\n`);
  expect(await deployByCommand(emulator, 'accessDays=50')).toMatchObject({
    status: 1,
    output: expect.stringContaining('--accept-removal accessDays'),
  });
}, 600_000);

test('the first operator is invited as an administrator, must choose a password, and signs in', async () => {
  const operator = (...args: string[]) =>
    emulator.node('scripts/aws/operator.ts', ...args, '--stage', 'test');
  expect(await operator('list')).toEqual({ status: 0, output: 'ada@example.com\tadmin\tpending\n' });
  const reset = await operator('reset', 'ada@example.com', '--print');
  token = await signIn(emulator, first, reset);
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
}, 600_000);

test('applications fetch what the operator published', async () => {
  await succeed('POST', '/api/admin/prompts', token, {
    name: 'greeting',
    version: '1.0.0',
    prompt: 'Hello {{user}}.',
  });
  await succeed('POST', '/api/admin/secrets', token, {
    key: 'LLM_KEY',
    value: 'secret value',
    tags: ['llm'],
  });
  ({ apiKey } = await succeed('POST', '/api/admin/api-keys', token, {
    name: 'test',
    permissions: ['prompts', 'secrets', 'publish'],
  }));
  const fetched = { name: 'greeting', shouldCompile: true, variables: { user: 'Ada' } };
  expect(await succeed('POST', '/api/prompt/get-compiled', apiKey, fetched)).toMatchObject({
    compiledPrompt: 'Hello Ada.',
  });
  expect(await succeed('POST', '/api/vault/get-secrets', apiKey, {})).toEqual({ LLM_KEY: 'secret value' });
}, 600_000);

const withParams = (route: string, params: Readonly<Record<string, string>> = {}): string =>
  route.replace(/\{(\w+)\+?\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'none'));

const ROUTES = ENDPOINTS.flatMap(({ route, ...endpoint }) =>
  route === undefined ? [] : [{ ...route, ...endpoint }],
);

test.each(ROUTES)(
  '$method $path reaches its function and answers as declared',
  async (endpoint) => {
    const { method, path, access, errors } = endpoint;
    const { params, query, body } = examplesOf(endpoint)[0] ?? {};
    const target = withParams(path, params) + (query === undefined ? '' : `?${new URLSearchParams(query)}`);
    expect((await call(method, target, 'wrong', body)).status).toBe(401);
    const bearer = access.kind === 'operator' ? token : apiKey;
    const basic = { authorization: `Basic ${Buffer.from(`:${apiKey}`).toString('base64')}` };
    const { status, headers } = await call(
      method,
      target,
      bearer,
      body,
      path.includes('/public/') ? basic : {},
    );
    expect(headers.get(HEADERS.requestId)).toBeTruthy();
    const declared = errors
      .map((code) => ERROR_STATUS[code])
      .filter((declaredStatus) => declaredStatus < 500);
    expect([200, 400, ...declared]).toContain(status);
  },
  600_000,
);

test('the stream of the table feeds the functions that count fetches', async () => {
  const { prompts } = await succeed('GET', '/api/admin/prompts', token);
  const greeting = prompts.find(({ name }: { name: string }) => name === 'greeting');
  for (;;) {
    const { counts } = await succeed('GET', `/api/admin/prompts/${greeting.promptId}/usage`, token);
    if (counts.length > 0) break;
    await sleep(1_000);
  }
}, 600_000);

test('the audit log is sealed into an object that verifies and cannot be added again', async () => {
  const { client, node } = emulator;
  // Only entries of more than five minutes ago are sealed.
  const at = new Date(Date.now() - 600_000).toISOString();
  const entry = { at, actor: 'ada@example.com', requestId: 'earlier', action: 'label.set', subject: 'prm_1' };
  const key = { pk: PARTITIONS.auditChange + at.slice(0, 7), sk: `${at}#earlier#aaaaaa` };
  const table = { client: new DynamoDBClient(client), name: first.resources.Table?.id ?? '' };
  const Item = { ...key, ...entry, name: 'greeting', details: '{}', ttl: Date.parse(at) / 1_000 + 86_400 };
  await putItem(table, Item);
  const sealing = await new LambdaClient(client).send(
    new InvokeCommand({ FunctionName: functionOf('auditsealFunction'), Payload: Buffer.from('{}') }),
  );
  expect(Buffer.from(sealing.Payload ?? []).toString()).not.toContain('errorMessage');

  const s3 = new S3Client({ ...client, forcePathStyle: true });
  const Bucket = first.resources.SealedLog?.id;
  const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
  expect(Versions.length).toBeGreaterThan(0);
  expect(await node('scripts/audit-verify.ts', '--stage', 'test')).toMatchObject({
    status: 0,
    output: expect.stringMatching(/Verified \d+ objects? with [1-9]\d* entr/),
  });
  // The emulator does not apply the Object Lock of a template.
  const [{ Key } = {}] = Versions;
  await expect(
    s3.send(new PutObjectCommand({ Bucket, Key, Body: 'other', IfNoneMatch: '*' })),
  ).rejects.toMatchObject({ name: 'PreconditionFailed' });
}, 600_000);

test('after the deployment, every route answers and rejects calls without credentials', async () => {
  // The calls of all routes have stopped serving secrets.
  await succeed('PUT', '/api/admin/vault/serving', token, { allowed: true });
  const { output } = await emulator.node('scripts/aws/smoke.ts', '--stage', 'test', '--api-url', apiUrl());
  expect(output).toMatch(/ok {7}operators: \d+ operators?, 1 active administrator/);
  expect(output).toMatch(/ok {7}routes: all \d+ answer as expected without credentials/);
  expect(output).toMatch(/ok {7}round trip: /);
}, 600_000);

test('a second deployment with another endpoint and other settings keeps the data', async () => {
  const settings = ['throttleRate=50', 'sessionHours=2', 'accessDays=30', 'originSecrets=1,2'];
  const { status, output } = await deploy(emulator, ...settings, 'anotherEndpoint=true');
  expect([status, output]).toEqual([0, expect.stringContaining('ApiUrl')]);
  const second = await inspect(emulator);
  expect(second.status).toBe('UPDATE_COMPLETE');
  const { status: answered, headers } = await call('GET', '/api/another/a/b', apiKey);
  expect([answered, headers.has(HEADERS.requestId)]).toEqual([404, true]);
  for (const id of ['Table', 'VaultKey', 'Operators'])
    expect(second.resources[id]).toEqual(first.resources[id]);
  expect(await succeed('POST', '/api/vault/get-secrets', apiKey, {})).toMatchObject({
    LLM_KEY: 'secret value',
  });
}, 600_000);

test('with secrets for it, the admin API answers CloudFront only, which sends the first', async () => {
  const { client } = emulator;
  const { resources } = await inspect(emulator);
  const values = await Promise.all(
    Object.values(resources)
      .filter(({ type }) => type === 'AWS::SecretsManager::Secret')
      .map(async ({ id }) => {
        const secret = new GetSecretValueCommand({ SecretId: id });
        return (await new SecretsManagerClient(client).send(secret)).SecretString ?? '';
      }),
  );
  expect(values).toHaveLength(2);
  const { status, json } = await call('GET', '/api/admin/prompts', token);
  expect([status, json]).toEqual([403, { err: expect.stringContaining('admin site'), res: null }]);
  for (const value of values)
    expect(
      await call('GET', '/api/admin/prompts', token, undefined, { [ORIGIN_SECRET]: value }),
    ).toMatchObject({
      status: 200,
    });
  const { DistributionConfig } = await new CloudFrontClient(client).send(
    new GetDistributionConfigCommand({ Id: idOf(first, 'AWS::CloudFront::Distribution') }),
  );
  const sent = DistributionConfig?.Origins?.Items?.flatMap(({ CustomHeaders }) => CustomHeaders?.Items ?? []);
  expect(sent).toEqual([{ HeaderName: ORIGIN_SECRET, HeaderValue: values[0] }]);
}, 600_000);

test('a failed update is rolled back, and the service works as before', async () => {
  const { status, output } = await deploy(emulator, 'breakUpdate=true');
  expect([status, output]).toEqual([1, expect.stringContaining('This update is meant to fail.')]);
  expect((await inspect(emulator)).status).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect(await succeed('POST', '/api/vault/get-secrets', apiKey, {})).toMatchObject({
    LLM_KEY: 'secret value',
  });
}, 600_000);

test('destroying the stack keeps the table, the vault key and the operators', async () => {
  expect((await destroy(emulator)).status).toBe(0);
  const { client } = emulator;
  const { Table } = await new DynamoDBClient(client).send(
    new DescribeTableCommand({ TableName: first.resources.Table?.id }),
  );
  expect(Table?.ItemCount).toBeGreaterThan(0);
  const { KeyMetadata } = await new KMSClient(client).send(
    new DescribeKeyCommand({ KeyId: first.resources.VaultKey?.id }),
  );
  expect(KeyMetadata?.KeyState).toBe('Enabled');
  const pool = { UserPoolId: first.resources.Operators?.id };
  const { UserPool } = await new CognitoIdentityProviderClient(client).send(
    new DescribeUserPoolCommand(pool),
  );
  expect(UserPool?.DeletionProtection).toBe('ACTIVE');
}, 600_000);

test('a new stack adopts what outlived the last one, and applications read the same with the same API key', async () => {
  const { Table, VaultKey, SigningKey, SealedLog, Operators } = first.resources;
  const folder = newFolder();
  const mapping = path.join(folder, 'adopt.json');
  const identifiers = {
    Table: { TableName: Table?.id },
    VaultKey: { KeyId: VaultKey?.id },
    SigningKey: { KeyId: SigningKey?.id },
    SealedLog: { BucketName: SealedLog?.id },
    Operators: { UserPoolId: Operators?.id },
  };
  writeFileSync(mapping, JSON.stringify(identifiers));
  expect(await adopt(emulator, mapping)).toMatchObject({ status: 0, output: expect.anything() });
  expect((await inspect(emulator)).status).toBe('IMPORT_COMPLETE');
  expect(await deploy(emulator, 'adopted=true')).toMatchObject({
    status: 0,
    output: expect.stringContaining('ApiUrl'),
  });
  const second = await inspect(emulator);
  for (const id of Object.keys(identifiers)) expect(second.resources[id]).toEqual(first.resources[id]);
  first = second;
  expect(await succeed('POST', '/api/vault/get-secrets', apiKey, {})).toMatchObject({
    LLM_KEY: 'secret value',
  });
}, 600_000);

test('a table with rows that this release cannot read stops a deployment before it begins', async () => {
  const table = { client: new DynamoDBClient(emulator.client), name: first.resources.Table?.id ?? '' };
  const row = { pk: PARTITIONS.format, sk: 'FORMAT', version: 1, newest: FORMATS.newest + 1 };
  await putItem(table, row);
  expect(await emulator.node('scripts/aws/doctor.ts', '--stage', 'test')).toMatchObject({
    status: 1,
    output: expect.stringContaining('Use the release that wrote them'),
  });
}, 600_000);
