import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { REGION } from '../../../local/aws/account.ts';
import type { Credentials } from '../../../local/aws/endpoint.ts';
import { createLambda } from '../../../local/aws/lambda.ts';
import { openTestEndpoint, type TestEndpoint } from '../../support/aws/aws-endpoint.ts';

const invoked: unknown[] = [];
const lambda = createLambda(async (name, event) => {
  invoked.push([name, event]);
});

let opened: TestEndpoint;
beforeAll(async () => {
  opened = await openTestEndpoint(
    { starter: [{ on: 'job', job: 'job', actions: ['InvokeFunction'] }], other: [] },
    { lambda },
  );
});
afterAll(() => opened.stop());
beforeEach(() => {
  invoked.length = 0;
});

const clientOf = (credentials: Credentials) =>
  new LambdaClient({ endpoint: opened.endpoint.url, region: REGION, credentials, maxAttempts: 1 });

const invoke = async (
  operationId: string,
  input: Partial<ConstructorParameters<typeof InvokeCommand>[0]> = {},
) => {
  const client = clientOf(opened.endpoint.credentialsOf(operationId));
  try {
    const call = { FunctionName: 'job', InvocationType: 'Event', Payload: '{"a":1}', ...input } as const;
    const { StatusCode } = await client.send(new InvokeCommand(call));
    await lambda.settled();
    return StatusCode;
  } finally {
    client.destroy();
  }
};

test('a function starts the one that its grant names, with the event, and does not wait', async () => {
  expect(await invoke('starter')).toBe(202);
  expect(invoked).toEqual([['job', { a: 1 }]]);
});

test.each([
  ['a function without the permission', 'other', {}],
  ['another function than the one that the grant names', 'starter', { FunctionName: 'another' }],
])('%s is denied', async (_, operationId, input) => {
  await expect(invoke(operationId, input)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  expect(opened.denials.splice(0)).toEqual([[operationId, 'lambda:InvokeFunction', expect.any(String)]]);
  expect(invoked).toEqual([]);
});

test.each([
  ['an event that is not JSON', { Payload: '{' }, 'InvalidRequestContentException'],
  [
    'a call that waits for the reply',
    { InvocationType: 'RequestResponse' },
    'InvalidParameterValueException',
  ],
] as const)('%s is refused', async (_, input, name) => {
  await expect(invoke('starter', input)).rejects.toMatchObject({ name });
  expect(invoked).toEqual([]);
});
