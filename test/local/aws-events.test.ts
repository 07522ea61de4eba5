import { readFileSync } from 'node:fs';
import { APIGatewayProxyEventV2Schema } from '@aws-lambda-powertools/parser/schemas/api-gatewayv2';
import { PreTokenGenerationTriggerSchemaV2AndV3 } from '@aws-lambda-powertools/parser/schemas/cognito';
import { DynamoDBStreamSchema } from '@aws-lambda-powertools/parser/schemas/dynamodb';
import type { Endpoint } from '../../contract/endpoint.ts';
import { notFound } from '../../contract/endpoints/service.ts';
import { putItem } from '../../lambdas/store/table.ts';
import { startFeed } from '../../local/feed/feed.ts';
import { startGateway } from '../../local/gateway/gateway.ts';
import { createRouter } from '../../local/gateway/routes.ts';
import { tokenWith } from '../support/operators.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { openTestTable } from '../support/rows/table.ts';
import { sharedInstance } from '../support/shared/instance.ts';

// biome-ignore lint/suspicious/noExplicitAny: what AWS sends
type Event = any;

const fixture = (name: string): Event =>
  JSON.parse(readFileSync(`test/vectors/events/${name}.json`, 'utf8')).event;

/** The names and types of a value, without its texts and numbers; of a list, those of its first element. */
const formOf = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  if (Array.isArray(value)) return value.slice(0, 1).map(formOf);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, formOf(each)]));
};
// Names of headers, claims and attributes are the caller's.
const withoutNames = ({ headers: _, requestContext: { authorizer, ...context }, ...event }: Event) => ({
  ...event,
  requestContext: { ...context, ...(authorizer ? { authorizer: Object.keys(authorizer.jwt).sort() } : {}) },
});

describe('what the local gateway makes of a request', () => {
  const seen: Event[] = [];
  const echo = {
    invoke: async (event: unknown) => {
      seen.push(event);
      return { reply: { statusCode: 200, body: '{}' } };
    },
    stop: async () => {},
  };
  const endpointAt = (route: NonNullable<Endpoint['route']>, access: Endpoint['access']): Endpoint => ({
    ...(notFound as Endpoint),
    id: 'echo',
    route,
    access,
  });
  let port: number;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const gateway = await startGateway({ port: 0 });
    ({ port, stop } = gateway);
    gateway.open({
      onError: () => {},
      throttle: undefined,
      route: createRouter([
        endpointAt({ method: 'POST', path: '/api/prompt/get-compiled' }, { kind: 'public' }),
        endpointAt(
          { method: 'GET', path: '/api/admin/prompts/{promptId}' },
          { kind: 'operator', role: 'viewer' },
        ),
      ]),
      functions: new Map([
        ['echo', echo],
        ['not-found', echo],
      ]),
      authorize: async () => ({ jwt: { claims: { sub: '1' }, scopes: ['cuevault/admin'] }, claims: {} }),
      operatorOf: async () => undefined,
      identity: async () => undefined,
      site: () => false,
    });
  });
  afterAll(() => stop());

  test.each(['http-api', 'http-api-jwt'])('has the form of an event of API Gateway: %s', async (name) => {
    const documented = fixture(name);
    const { method, path } = documented.requestContext.http;
    const query = documented.rawQueryString === '' ? '' : `?${documented.rawQueryString}`;
    await fetch(`http://localhost:${port}${path}${query}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(documented.cookies ? { cookie: documented.cookies.join('; ') } : {}),
      },
      ...(documented.body ? { body: documented.body } : {}),
    });
    const made = seen.pop();
    expect(APIGatewayProxyEventV2Schema.safeParse(made).error).toBeUndefined();
    expect(formOf(withoutNames(made))).toEqual(formOf(withoutNames(documented)));
    const { requestContext, cookies, pathParameters, queryStringParameters, body } = made;
    expect({ cookies, pathParameters, queryStringParameters, body }).toEqual({
      cookies: documented.cookies,
      pathParameters: documented.pathParameters,
      queryStringParameters: documented.queryStringParameters,
      body: documented.body,
    });
    expect(requestContext.time).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
  });
});

test('the local feed passes on what Lambda passes on: records of the same structure', async () => {
  const { table, endpoint, stop } = await openTestTable();
  const events: Event[] = [];
  const feed = await startFeed({
    engineEndpoint: endpoint,
    tableName: table.name,
    file: undefined,
    consumers: [{ id: 'any', inserts: ['apiKeyUse'] }],
    invoke: async (_, event) => {
      events.push(event);
      return { reply: null };
    },
    onLog: () => {},
    onFailed: () => {},
  });
  await putItem(table, { pk: 'APIKEYUSE#1', sk: '1', n: 1 });
  feed.wrote();
  await feed.settled();
  await feed.stop();
  await stop();
  const made = { Records: events.flatMap(({ Records }) => Records) };
  expect(DynamoDBStreamSchema.safeParse(made).error).toBeUndefined();
  const documented = fixture('stream').Records.filter(({ eventName }: Event) => eventName === 'INSERT');
  const namesOf = ({ dynamodb, ...record }: Event) => [
    Object.keys(record).sort(),
    Object.keys(dynamodb).sort(),
  ];
  expect(made.Records.map(namesOf)).toEqual(documented.map(namesOf));
});

test.each([
  ['http-api', APIGatewayProxyEventV2Schema],
  ['http-api-jwt', APIGatewayProxyEventV2Schema],
  ['stream', DynamoDBStreamSchema],
  ['pre-token-generation', PreTokenGenerationTriggerSchemaV2AndV3],
])('the documented event %s matches the published schema', (name, schema) => {
  expect(schema.safeParse(fixture(name)).error).toBeUndefined();
});

describe('a documented event that is sent to a bundle', () => {
  test('of API Gateway fetches a prompt', async () => {
    const instance = await sharedInstance();
    const { apiKey } = await instance.newKey();
    const { name } = await newPrompt(instance.table);
    const event = fixture('http-api');
    event.headers.authorization = `Bearer ${apiKey}`;
    event.body = JSON.stringify({ name });
    const outcome: Event = await instance.invoke('prompt-get-compiled', event);
    expect(outcome.reply.statusCode).toBe(200);
    expect(JSON.parse(outcome.reply.body).res.name).toBe(name);
  });

  test('of API Gateway with the token of an operator reads a prompt', async () => {
    const instance = await sharedInstance();
    const { promptId } = await newPrompt(instance.table);
    const event = fixture('http-api-jwt');
    event.pathParameters.promptId = promptId;
    delete event.queryStringParameters;
    event.headers.authorization = `Bearer ${await tokenWith(instance)}`;
    const outcome: Event = await instance.invoke('prompts-get', event);
    expect(outcome.reply.statusCode).toBe(200);
    expect(JSON.parse(outcome.reply.body).res.prompt.promptId).toBe(promptId);
  });

  test.each(['usage-count', 'changes'])('of a foreign row changes nothing: %s', async (id) => {
    const instance = await sharedInstance();
    expect(await instance.invoke(id, fixture('stream'))).not.toHaveProperty('failure');
  });
});
