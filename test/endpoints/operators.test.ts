import { globSync, readFileSync } from 'node:fs';
import { examplesOf } from '../../contract/documentation/samples.ts';
import type { OperationId } from '../../contract/documentation.ts';
import { type Endpoint, nothing } from '../../contract/endpoint.ts';
import { operatorsList } from '../../contract/endpoints/service.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import type { Role } from '../../contract/fields/access.ts';
import { ADMIN_SCOPE, SIGN_IN_SCOPE } from '../../contract/sign-in.ts';
import { refused, request, type Sent, send } from '../support/admin.ts';
import { expiredToken, forgedToken, tokenWith } from '../support/operators.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';

withSharedInstance();

let forged: string;
beforeAll(async () => {
  forged = await forgedToken(instance);
});

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin'];
const forOperators = ENDPOINTS.filter(({ access }) => access.kind === 'operator');

// Parameters of unknown items: permitted callers get an error, and nothing changes.
const paramsOf = ({ route }: Endpoint): Record<string, string> =>
  Object.fromEntries(
    Array.from(route?.path.matchAll(/\{(\w+)\}/g) ?? [], ([, name = '']) => [
      name,
      name === 'revision' ? '999999' : 'x',
    ]),
  );

test.each(forOperators)(
  '$id rejects a missing token, somebody without a record and the role below its own, and accepts its own',
  async (endpoint) => {
    const role = endpoint.access.kind === 'operator' ? endpoint.access.role : 'admin';
    // Not a valid request either way: the role must be looked at first.
    const wrong = endpoint.body === nothing ? { query: { limit: 'x' } } : { body: '{' };
    const call = async (sent: Sent) => {
      const { status, code } = await request(instance, endpoint, {
        params: paramsOf(endpoint),
        ...wrong,
        ...sent,
      });
      return code ?? status;
    };
    expect(await call({ token: '' })).toBe(401);
    expect(await call({ groups: [] })).toBe('forbidden');
    const below = ROLES[ROLES.indexOf(role) - 1];
    if (below !== undefined) expect(await call({ groups: [below] })).toBe('forbidden');
    expect([401, 403, 'forbidden']).not.toContain(await call({ groups: [role] }));
  },
);

const LOOKS_LIKE = 'APP\u200b';

test.each<[OperationId, object]>([
  ['prompts-create', { name: LOOKS_LIKE, prompt: 'x' }],
  ['secrets-create', { key: LOOKS_LIKE, value: 'x' }],
  ['keys-create', { name: LOOKS_LIKE, permissions: ['prompts'] }],
])('%s rejects a name with confusable characters', async (operation, body) => {
  expect(await refused(operation, 'invalid_request', body)).toContain('U+200B');
});

test.each([
  ['promptId', 'prompt_not_found'],
  ['secretId', 'secret_not_found'],
  ['keyId', 'api_key_not_found'],
])('each operation with a %s finds nothing under an unknown one, and says so: %s', async (param, code) => {
  for (const endpoint of forOperators.filter(({ route }) => route?.path.includes(`{${param}}`))) {
    const [example] = examplesOf(endpoint);
    const unknown = { ...example, params: { ...example?.params, [param]: 'unknown' } };
    const { code: found, json } = await request(instance, endpoint, unknown);
    expect([endpoint.id, found]).toEqual([endpoint.id, code]);
    expect(json.err).toContain('"unknown"');
  }
});

test('an API key, and a token that is malformed, has expired, or is of another issuer, kind or scope, is rejected by the gateway', async () => {
  const foreign = await forgedToken(instance, { iss: 'https://issuer.example.com' });
  const ofId = { token_use: 'id', scope: undefined, client_id: undefined };
  const withoutScope = { scope: SIGN_IN_SCOPE.replace(ADMIN_SCOPE, '').trim() };
  for (const [token, status, message] of [
    ['junk', 401, 'Unauthorized'],
    [instance.firstRun.apiKey, 401, 'Unauthorized'],
    [await expiredToken(instance), 401, 'Unauthorized'],
    [foreign, 401, 'Unauthorized'],
    [await tokenWith(instance, ofId), 403, 'Forbidden'],
    [await tokenWith(instance, withoutScope), 403, 'Forbidden'],
  ] as const) {
    const reply = await send('keys-list', {}, { token });
    expect([reply.status, reply.json]).toEqual([status, { message }]);
    if (status === 401) expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  }
  const ofAnotherKind = { token: await tokenWith(instance, { token_use: 'id' }) };
  await refused('keys-list', 'forbidden', {}, ofAnotherKind);
});

test.each(forOperators)(
  'the function of $id, invoked directly with invented claims, admits nobody without a token that the issuer signed',
  async (endpoint) => {
    const [example] = examplesOf(endpoint);
    const claims = { token_use: 'access', username: 'eve', 'cognito:groups': '[admin]' };
    for (const headers of [{}, { authorization: `Bearer ${forged}` }])
      expect(
        await instance.invoke(endpoint.id, {
          headers,
          requestContext: { authorizer: { jwt: { claims, scopes: [ADMIN_SCOPE] } } },
          pathParameters: example?.params,
          queryStringParameters: example?.query,
          body: JSON.stringify(example?.body),
        }),
      ).toMatchObject({ reply: { statusCode: 403 } });
  },
);

// This file itself names what has no route.
const TESTS = globSync('test/endpoints/**/*.test.ts', { exclude: ['**/operators.test.ts'] }).map((file) =>
  readFileSync(file, 'utf8'),
);

test.each(ENDPOINTS)('$id has a handler of its name, and tests that call it', ({ id, access, route }) => {
  expect(globSync(`lambdas/endpoints/**/${id}.ts`)).toHaveLength(1);
  const [path = ''] = (route?.path ?? 'route_not_found').split('{');
  const endpoint = id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const calls = [`'${id}'`, ...(access.kind === 'operator' ? [] : [path, endpoint])];
  expect(TESTS.some((text) => calls.some((call) => text.includes(call)))).toBe(true);
});

test.each(forOperators)(
  '$id reads with GET, and changes something only as an editor or an administrator',
  (endpoint) => {
    const role = endpoint.access.kind === 'operator' ? endpoint.access.role : undefined;
    // Only administrators see who the operators are.
    const isRead = role === 'viewer' || endpoint.id === operatorsList.id;
    // What these ask does not fit into an address.
    const isAsked = ['prompts-find', 'effects-get', 'keys-reach'].includes(endpoint.id);
    expect(isRead).toBe(endpoint.route?.method === 'GET' || isAsked);
  },
);
