import { globSync, readFileSync } from 'node:fs';
import { examplesOf } from '../../contract/documentation/samples.ts';
import type { OperationId } from '../../contract/documentation.ts';
import { type Endpoint, nothing } from '../../contract/endpoint.ts';
import { promptGetCompiled } from '../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { vaultGetSecrets } from '../../contract/endpoints/secrets/vault-get-secrets.ts';
import { operatorsList } from '../../contract/endpoints/service.ts';
import { vaultWhoHas } from '../../contract/endpoints/vault.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import type { Role } from '../../contract/fields/access.ts';
import { ADMIN_SCOPE, SIGN_IN_SCOPE } from '../../contract/sign-in.ts';
import { refused, type Sent, send } from '../support/admin.ts';
import { expiredToken, forgedToken, operatorToken, tokenWith } from '../support/operators.ts';
import { MALFORMED } from '../support/scenarios/malformed.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';

withSharedInstance();

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

describe.each(forOperators)('$id', (endpoint) => {
  const role = endpoint.access.kind === 'operator' ? endpoint.access.role : 'admin';
  const call = (sent: Sent) => send(instance, endpoint, { params: paramsOf(endpoint), body: '{', ...sent });
  // Not a valid request either way: the role must be looked at first.
  const sentTo = endpoint.body === nothing ? { body: undefined, query: { limit: 'x' } } : {};

  test.each(ROLES)('the role %s is accepted only if it is sufficient', async (group) => {
    const { status, code } = await call({ ...sentTo, groups: [group] });
    if (ROLES.indexOf(group) < ROLES.indexOf(role)) expect([status, code]).toEqual([403, 'forbidden']);
    else expect([401, 403]).not.toContain(status);
  });

  test('somebody with a token, but without a record, is forbidden', async () => {
    expect(await call({ ...sentTo, groups: [] })).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('the gateway rejects a missing token and an API key', async () => {
    for (const token of ['', instance.firstRun.apiKey])
      expect((await call({ ...sentTo, token })).status).toBe(401);
  });
});

test.each(Object.entries(MALFORMED))('%s is rejected with the envelope', async (what, body) => {
  const { status, json } = await send(instance, 'prompts-create', { body });
  expect(status).toBe(what === 'a body above the limit' ? 413 : 400);
  expect(json).toEqual({ err: expect.stringMatching(/\S.*\.$/s), res: null });
});

const LOOKS_LIKE = 'APP\u200b';

test.each<[OperationId, object]>([
  ['prompts-create', { name: LOOKS_LIKE, prompt: 'x' }],
  ['secrets-create', { key: LOOKS_LIKE, value: 'x' }],
  ['keys-create', { name: LOOKS_LIKE, permissions: ['prompts'] }],
])('%s rejects a name with confusable characters', async (operation, body) => {
  expect(await refused(instance, operation, 'invalid_request', { body })).toContain('U+200B');
});

test.each([
  ['promptId', 'prompt_not_found'],
  ['secretId', 'secret_not_found'],
  ['keyId', 'api_key_not_found'],
])('each operation with a %s finds nothing under an unknown one, and says so: %s', async (param, code) => {
  for (const endpoint of forOperators.filter(({ route }) => route?.path.includes(`{${param}}`))) {
    const [example] = examplesOf(endpoint);
    const unknown = { ...example, params: { ...example?.params, [param]: 'unknown' } };
    const reply = await send(instance, endpoint, unknown);
    expect([endpoint.id, reply.code]).toEqual([endpoint.id, code]);
    expect(reply.json.err).toContain('"unknown"');
  }
});

describe('a token', () => {
  test('of another kind that has the scope is forbidden', async () => {
    const token = await tokenWith(instance, { token_use: 'id' });
    expect(await send(instance, 'keys-list', { token })).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('that is malformed, has expired or comes from another issuer is rejected by the gateway', async () => {
    const foreign = await forgedToken(instance, { iss: 'https://issuer.example.com' });
    for (const token of ['junk', await expiredToken(instance), foreign]) {
      const reply = await send(instance, 'keys-list', { token });
      expect([reply.status, reply.text]).toEqual([401, '{"message":"Unauthorized"}']);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('of another kind, or without the scope, is rejected by the gateway', async () => {
    const scope = SIGN_IN_SCOPE.replace(ADMIN_SCOPE, '').trim();
    for (const claims of [{ token_use: 'id', scope: undefined, client_id: undefined }, { scope }]) {
      const reply = await send(instance, 'keys-list', { token: await tokenWith(instance, claims) });
      expect([reply.status, reply.text]).toEqual([403, '{"message":"Forbidden"}']);
    }
  });

  test.each([promptGetCompiled, vaultGetSecrets])(
    'of an operator is no API key for $id',
    async ({ route }) => {
      const reply = await instance.post(route?.path ?? '', {}, await operatorToken(instance));
      expect([reply.status, reply.code]).toEqual([401, 'unauthenticated']);
    },
  );
});

describe('the function of an endpoint that is invoked directly, with invented claims', () => {
  const claims = { token_use: 'access', username: 'eve', 'cognito:groups': '[admin]' };
  const statusOf = async (endpoint: Endpoint, headers: Record<string, string>) => {
    const [example] = examplesOf(endpoint);
    const outcome = await instance.invoke(endpoint.id, {
      headers,
      requestContext: { authorizer: { jwt: { claims, scopes: [ADMIN_SCOPE] } } },
      pathParameters: example?.params,
      queryStringParameters: example?.query,
      body: JSON.stringify(example?.body),
    });
    return (outcome as { reply?: { statusCode: number } }).reply?.statusCode;
  };

  test.each(forOperators)('$id admits nobody without a token that the issuer signed', async (endpoint) => {
    expect(await statusOf(endpoint, {})).toBe(403);
    expect(await statusOf(endpoint, { authorization: `Bearer ${await forgedToken(instance)}` })).toBe(403);
  });
});

const TESTS = globSync('test/endpoints/**/*.test.ts').map((file) => file + readFileSync(file, 'utf8'));

test.each(ENDPOINTS)('$id has a handler of its name, and tests that call it', ({ id, route }) => {
  expect(globSync(`lambdas/endpoints/**/${id}.ts`)).toHaveLength(1);
  const calls = [`${id}/`, `'${id}'`, `${route?.path}'`, `${route?.path}\``];
  expect(TESTS.filter((text) => calls.some((call) => text.includes(call)))).not.toEqual([]);
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

test.each(forOperators)(
  '$id has no permission on the KMS key of the vault, but to compare',
  ({ id, grants }) => {
    const most = id === vaultWhoHas.id ? [{ on: 'vault-key', actions: ['Decrypt'] }] : [];
    expect(grants.filter(({ on }) => on === 'vault-key')).toEqual(most);
  },
);
