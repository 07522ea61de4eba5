import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { APIGatewayProxyEventV2Schema } from '@aws-lambda-powertools/parser/schemas/api-gatewayv2';
import type { Access, Endpoint, Method } from '../../../contract/endpoint.ts';
import { notFound } from '../../../contract/endpoints/service.ts';
import type { Operator } from '../../../lambdas/core/operators.ts';
import type { LocalFunction, Outcome } from '../../../local/functions/functions.ts';
import { type Gateway, startGateway } from '../../../local/gateway/gateway.ts';
import { createRouter } from '../../../local/gateway/routes.ts';

let gateway: Gateway;
let url: string;
/** What the function was invoked with. */
let event: Record<string, unknown> | undefined;
let outcome: Outcome;
/** What the gateway has reported. */
const errors: string[] = [];
/** What the function waits for before it answers. */
let held: Promise<unknown> = Promise.resolve();

const endpointAt = (method: Method, path: string, access: Access): Endpoint => ({
  ...(notFound as Endpoint),
  id: 'echo',
  route: { method, path },
  access,
});

const echo: LocalFunction = {
  invoke: async (invokedWith) => {
    event = invokedWith as Record<string, unknown>;
    await held;
    return outcome;
  },
};

const CLAIMS = { username: 'a', token_use: 'access' };
const JWT = { claims: CLAIMS, scopes: ['cuevault/admin'] };

beforeAll(async () => {
  gateway = await startGateway({ port: 0 });
  url = `http://localhost:${gateway.port}`;
});

afterAll(() => gateway.stop());

beforeEach(() => {
  event = undefined;
  held = Promise.resolve();
  outcome = { reply: { statusCode: 201, headers: { 'x-own': 'yes' }, body: 'done' } };
});

const open = (opened = gateway): void =>
  opened.open({
    onError: (line) => errors.push(line),
    route: createRouter([
      endpointAt('GET', '/api/things/{thingId}', { kind: 'operator', role: 'viewer' }),
      endpointAt('POST', '/api/things', { kind: 'public' }),
      endpointAt('POST', '/api/prompt/get-compiled', { kind: 'public' }),
      endpointAt('GET', '/api/admin/prompts/{promptId}', { kind: 'operator', role: 'viewer' }),
    ]),
    functions: new Map([
      ['echo', echo],
      ['not-found', echo],
      ['backup-export', echo],
    ]),
    authorize: async (header, scope) => {
      if (header === undefined) return { refused: 401 };
      return header === `Bearer with ${scope}` ? { jwt: JWT, claims: CLAIMS } : { refused: 403 };
    },
    operatorOf: async () => ({ email: 'a@example.com', group: 'admin', status: 'active' }) as Operator,
    identity: async (_, response) => {
      response.writeHead(200).end('identity');
    },
    site: (request, response) => {
      if (request.url !== '/screen') return false;
      response.writeHead(200).end('site');
      return true;
    },
  });

const answerOf = async (response: Response) => [response.status, await response.text()];

test('until it is opened it reports that it is not ready', async () => {
  expect(await answerOf(await fetch(`${url}/health`))).toEqual([503, '{"message":"Service Unavailable"}']);
  open();
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test('a route for operators rejects with the body of API Gateway, without invoking its function', async () => {
  const none = await fetch(`${url}/api/things/1`);
  expect(none.headers.get('www-authenticate')).toBe('Bearer');
  expect(await answerOf(none)).toEqual([401, '{"message":"Unauthorized"}']);
  const without = await fetch(`${url}/api/things/1`, { headers: { authorization: 'Bearer other' } });
  expect(await answerOf(without)).toEqual([403, '{"message":"Forbidden"}']);
  expect(event).toBeUndefined();
});

test('claims, path parameters and query reach the function; a repeated name is joined by commas', async () => {
  const response = await fetch(`${url}/api/things/a%20c?tag=x&tag=y%26z&limit=2`, {
    headers: { authorization: 'Bearer with cuevault/admin' },
  });
  expect(await answerOf(response)).toEqual([201, 'done']);
  expect(response.headers.get('x-own')).toBe('yes');
  expect(event).toMatchObject({
    routeKey: 'GET /api/things/{thingId}',
    pathParameters: { thingId: 'a c' },
    queryStringParameters: { tag: 'x,y&z', limit: '2' },
    rawQueryString: 'tag=x&tag=y%26z&limit=2',
    requestContext: { authorizer: { jwt: JWT }, routeKey: 'GET /api/things/{thingId}' },
    isBase64Encoded: false,
    rawPath: '/api/things/a c',
  });
});

// biome-ignore lint/suspicious/noExplicitAny: what AWS sends
type AwsEvent = any;

/** The names and types of a value, without its texts and numbers; of a list, those of its first element. */
const formOf = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  if (Array.isArray(value)) return value.slice(0, 1).map(formOf);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, formOf(each)]));
};
// Names of headers, claims and attributes are the caller's.
const withoutNames = ({ headers: _, requestContext: { authorizer, ...context }, ...event }: AwsEvent) => ({
  ...event,
  requestContext: { ...context, ...(authorizer ? { authorizer: Object.keys(authorizer.jwt).sort() } : {}) },
});

test.each(['http-api', 'http-api-jwt'])(
  'the function gets an event in the form of API Gateway: %s',
  async (name) => {
    const documented: AwsEvent = JSON.parse(readFileSync(`test/vectors/events/${name}.json`, 'utf8')).event;
    const { method, path } = documented.requestContext.http;
    const { rawQueryString: query, cookies = [], body } = documented;
    await fetch(url + path + (query === '' ? '' : `?${query}`), {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer with cuevault/admin',
        ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
      },
      ...(body && { body }),
    });
    expect(APIGatewayProxyEventV2Schema.safeParse(event).error).toBeUndefined();
    expect(formOf(withoutNames(event))).toEqual(formOf(withoutNames(documented)));
    for (const part of ['cookies', 'pathParameters', 'queryStringParameters', 'body'])
      expect(event?.[part]).toEqual(documented[part]);
    expect(event).toMatchObject({
      requestContext: { time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/) },
    });
  },
);

test('a command gets its input from an administrator; a body that is not JSON is refused as Lambda does', async () => {
  const invoke = async (body: string) =>
    fetch(`${url}/2015-03-31/functions/backup-export/invocations`, {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer with cuevault/admin' },
    });
  const refusal = await invoke('{"show":');
  expect(refusal.headers.get('x-amzn-errortype')).toBe('InvalidRequestContentException');
  expect(await answerOf(refusal)).toEqual([
    400,
    '{"Type":"User","message":"Could not parse request body into json."}',
  ]);
  expect(event).toBeUndefined();
  expect((await invoke('{"show":"page"}')).status).toBe(200);
  expect(event).toEqual({
    operator: 'a@example.com',
    operatorId: expect.any(String),
    input: { show: 'page' },
  });
});

// As measured on AWS: https://github.com/ministackorg/ministack/pull/766
test.each([
  ['application/json; charset=utf-8', false],
  ['text/plain', false],
  ['application/xml', false],
  ['application/javascript', false],
  ['application/vnd.api+json', true],
  ['application/x-www-form-urlencoded', true],
  ['application/octet-stream', true],
])('a body of the type %s reaches the function in Base64: %s', async (type, isBase64Encoded) => {
  await fetch(`${url}/api/things`, { method: 'POST', headers: { 'content-type': type }, body: '{}' });
  expect(event).toMatchObject({ isBase64Encoded, body: isBase64Encoded ? 'e30=' : '{}' });
});

test('unmatched requests go to the provider, the site and the default route, in this order', async () => {
  expect(await answerOf(await fetch(`${url}/oidc/token`))).toEqual([200, 'identity']);
  expect(await answerOf(await fetch(`${url}/screen`))).toEqual([200, 'site']);
  expect(event).toBeUndefined();
  expect((await fetch(`${url}/api/nothing`)).status).toBe(201);
  expect(event).toMatchObject({ routeKey: '$default' });
});

test('a failing function is a server error, and a body above 10 MB is rejected before it', async () => {
  outcome = { failure: 'Task timed out.' };
  const failed = await fetch(`${url}/api/things`, { method: 'POST' });
  expect(await answerOf(failed)).toEqual([500, '{"message":"Internal Server Error"}']);
  event = undefined;
  const body = Buffer.alloc(10 * 1024 * 1024 + 1);
  const large = await fetch(`${url}/api/things`, { method: 'POST', body });
  expect(await answerOf(large)).toEqual([413, '{"message":"Request Entity Too Large"}']);
  expect(event).toBeUndefined();
});

const healthAt = (port: number, host: string) =>
  new Promise<string>((resolve, reject) => {
    httpRequest(`http://127.0.0.1:${port}/health`, { headers: { host } }, async (reply) =>
      resolve(`${reply.statusCode} ${await text(reply)}`),
    )
      .on('error', reject)
      .end();
  });

test('a host name that only resolves to this machine is rejected, and the reply names the setting', async () => {
  expect(await healthAt(gateway.port, `rebound.example.com:${gateway.port}`)).toMatch(
    /^403 .*"err":.*CUEVAULT_ALLOWED_HOSTS/,
  );
});

test('hosts of containers and mapped ports are answered if they are allowed, on every address', async () => {
  const open = await startGateway({ port: 0, host: '0.0.0.0', allowedHosts: ['host.docker.internal:8080'] });
  // 503: it is running, but nothing is behind it.
  expect(await healthAt(open.port, 'HOST.docker.internal:8080')).toMatch(/^503/);
  expect(await healthAt(open.port, `localhost:${open.port}`)).toMatch(/^503/);
  expect(await healthAt(open.port, 'host.docker.internal:8081')).toMatch(/^403/);
  await open.stop();
});

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);

const listening = async (host: string): Promise<{ server: Server; port: number }> => {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
};

(hasIpv6 ? test : test.skip)('both addresses of localhost lead to the gateway', async () => {
  for (const host of ['127.0.0.1', '[::1]'])
    expect((await fetch(`http://${host}:${gateway.port}/health`)).status).toBe(200);
});

test.each(hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'])(
  'a port that is taken on %s is refused',
  async (host) => {
    const { server, port } = await listening(host);
    await expect(startGateway({ port })).rejects.toThrow(`Port ${port} is taken`);
    // Nothing of the attempt is left.
    server.close();
    await once(server, 'close');
    await (await startGateway({ port })).stop();
  },
);

/** Another gateway, with a call under way until it is released. */
const withHeldCall = async () => {
  const stopped = await startGateway({ port: 0 });
  open(stopped);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  held = promise;
  const call = () => fetch(`http://localhost:${stopped.port}/api/things`, { method: 'POST' });
  const underWay = call();
  while (event === undefined) await new Promise((resolve) => setImmediate(resolve));
  return { stopped, release, call, underWay };
};

test('stopping accepts no new calls and completes those in progress', async () => {
  const { stopped, release, call, underWay } = await withHeldCall();
  const stopping = stopped.stop();
  await expect(call()).rejects.toThrow('fetch failed');
  release();
  expect(await answerOf(await underWay)).toEqual([201, 'done']);
  await stopping;
});

test('stopping does not wait for a call that never ends', async () => {
  const { stopped, release, underWay } = await withHeldCall();
  const refused = expect(underWay).rejects.toThrow('fetch failed');
  await stopped.stop();
  await refused;
  release();
});

test('a request that fails in the gateway itself gets 500, and a line says why', async () => {
  held = Promise.reject(new Error('It broke.'));
  held.catch(() => undefined);
  const response = await fetch(`${url}/api/things?secret=1`, { method: 'POST' });
  held = Promise.resolve();
  expect([response.status, await response.json()]).toEqual([500, { message: 'Internal Server Error' }]);
  expect(errors).toEqual([expect.stringMatching(/^POST \/api\/things: Error: It broke\./)]);
});
