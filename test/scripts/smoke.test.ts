import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiGatewayV2Client, GetRoutesCommand, GetStageCommand } from '@aws-sdk/client-apigatewayv2';
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GenerateDataKeyWithoutPlaintextCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { LambdaClient, ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import { mockClient as mockForNow } from 'aws-sdk-client-mock';
import { runChecks } from '../../scripts/aws/checks.ts';
import { type Deployment, smokeChecks } from '../../scripts/aws/smoke-checks.ts';
import { mockClient } from '../support/aws/mock-client.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';

process.env.AWS_REGION = 'eu-central-1';

const gateway = mockClient(ApiGatewayV2Client);
const lambda = mockClient(LambdaClient);

let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance();
});
afterAll(() => instance.stop());
beforeEach(() => {
  for (const client of [gateway, lambda]) client.reset();
});

const found = async (title: string, apiUrl = instance.url) => {
  const deployment: Deployment = {
    stage: 'prod',
    stack: { name: 'cuevault-prod', id: 'arn:stack', status: 'CREATE_COMPLETE', output: (name) => name },
    apiUrl,
    ids: new Map([
      ['AWS::ApiGatewayV2::Api', ['api']],
      ['AWS::DynamoDB::GlobalTable', ['table']],
      ['AWS::Lambda::EventSourceMapping', ['mapping']],
      ['AWS::Lambda::Function', ['cuevault-prod-signagainFunction1A2B-C3']],
    ]),
    vaultKey: 'vault-key',
    signingKey: 'signing-key',
  };
  const [result] = await runChecks(smokeChecks(deployment).filter((check) => check.title === title));
  return result;
};

test('every route of a running service rejects calls without credentials', async () => {
  expect(await found('routes')).toMatchObject({ level: 'ok' });
});

test('calls that API Gateway fails by itself name the role and the field of the access log', async () => {
  const server = createServer((_, response) =>
    response.writeHead(500).end('{"message":"Internal Server Error"}'),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await found('routes', apiUrl)).toMatchObject({
    level: 'failure',
    text: expect.stringMatching(
      / answered 500 by API Gateway.*"Invoker….*accessLog=true.*"integrationError"/,
    ),
  });
  server.close();
});

test('settings of routes that do not exist are a failure with the command that removes them', async () => {
  const DefaultRouteSettings = { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 };
  gateway.on(GetRoutesCommand).resolves({ Items: [{ RouteKey: 'GET /a', Target: '' }] });
  gateway.on(GetStageCommand).resolves({ StageName: '$default', DefaultRouteSettings });
  expect(await found('throttles')).toMatchObject({
    level: 'ok',
    text: expect.stringContaining('200 requests'),
  });
  gateway
    .on(GetStageCommand)
    .resolves({ StageName: '$default', DefaultRouteSettings, RouteSettings: { 'GET /b': {} } });
  expect(await found('throttles')).toMatchObject({
    level: 'failure',
    text: expect.stringMatching(/GET \/b\. Remove each: aws apigatewayv2 delete-route-settings --api-id api/),
  });
});

test('a key policy that does not deny the caller is a failure', async () => {
  const kms = mockForNow(KMSClient);
  const named = (name: string) => Object.assign(new Error(name), { name });
  kms.on(GenerateDataKeyWithoutPlaintextCommand, { DryRun: true }).rejects(named('AccessDeniedException'));
  kms.on(SignCommand, { DryRun: true }).rejects(named('AccessDeniedException'));
  expect(await found('key policies')).toMatchObject({ level: 'ok' });
  kms.on(SignCommand, { DryRun: true }).rejects(named('DryRunOperationException'));
  expect(await found('key policies')).toMatchObject({
    level: 'failure',
    text: expect.stringMatching(/^Your credentials can use the signing key\./),
  });
  kms.on(GenerateDataKeyWithoutPlaintextCommand).resolves({});
  expect(await found('key policies')).toMatchObject({
    level: 'failure',
    text: expect.stringMatching(/the vault key and the signing key\./),
  });
  kms.restore();
});

test('a table policy that does not deny the caller is a failure', async () => {
  const dynamodb = mockForNow(DynamoDBClient);
  const named = (name: string) => Object.assign(new Error(name), { name });
  dynamodb.on(DeleteItemCommand).rejects(named('AccessDeniedException'));
  expect(await found('table policy')).toMatchObject({ level: 'ok' });
  dynamodb.on(DeleteItemCommand).rejects(named('ConditionalCheckFailedException'));
  expect(await found('table policy')).toMatchObject({ level: 'failure' });
  dynamodb.restore();
});

test('a stream consumer that stopped is a failure', async () => {
  const mapping = { UUID: 'mapping', FunctionArn: 'arn:consumer', LastProcessingResult: 'OK' };
  const other = { UUID: 'other', State: 'Disabled' };
  lambda
    .on(ListEventSourceMappingsCommand)
    .resolves({ EventSourceMappings: [{ ...mapping, State: 'Enabled' }, other] });
  expect(await found('stream consumers')).toMatchObject({ level: 'ok' });
  lambda
    .on(ListEventSourceMappingsCommand)
    .resolves({ EventSourceMappings: [{ ...mapping, State: 'Disabled' }] });
  expect(await found('stream consumers')).toMatchObject({
    level: 'failure',
    text: expect.stringContaining('arn:consumer is Disabled'),
  });
});
