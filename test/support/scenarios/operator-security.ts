import { type Endpoint, nothing, type Role } from '../../../contract/endpoint.ts';
import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { type Sent, send } from '../admin.ts';
import type { Reply, SharedInstance } from '../calls.ts';
import { expiredToken, foreignToken, operatorToken, tokenWith, tokenWithoutScope } from '../operators.ts';

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin'];

const MALFORMED: Readonly<Record<string, string>> = {
  'no body': '',
  'bad JSON': '{"name": ',
  'an array': '[]',
  'a string': '"name"',
  null: 'null',
  'wrong types': JSON.stringify({
    ...{ name: {}, prompt: 7, version: [], key: {}, value: 7, tags: 'x', text: 7, number: 'x', dryRun: 7 },
    permissions: 'prompts',
  }),
  'deep nesting': `{"a": ${'['.repeat(500)}${']'.repeat(500)}}`,
  'half a surrogate pair': '{"name": "\\ud800"}',
  'too much': `{"text": "${'x'.repeat(LIMITS.importBytes)}"}`,
};

const testBodies = (call: (body: string) => Promise<Reply>): void => {
  test('an invalid body is rejected with the envelope', async () => {
    for (const [what, body] of Object.entries(MALFORMED)) {
      const { status, json } = await call(body);
      expect([what, status]).toEqual([what, what === 'too much' ? 413 : 400]);
      expect(json).toEqual({ err: expect.stringMatching(/\S.*\.$/s), res: null });
    }
  });
};

/**
 * The full matrix of an endpoint for operators: who may call it and who may not, and that invalid bodies are rejected.
 * A few representative endpoints get it, all of them `testRoles`. `sent` returns a valid request, generated for each
 * call. Call it inside a `describe`.
 */
export const testOperatorSecurity = (
  endpoint: Endpoint,
  instance: () => SharedInstance,
  sent: () => Promise<Sent> | Sent,
): void => {
  const role = endpoint.access.kind === 'operator' ? endpoint.access.role : 'admin';
  const enough = ROLES.slice(ROLES.indexOf(role));
  const tooLittle = ROLES.slice(0, ROLES.indexOf(role));
  const call = async (changes: Sent) => send(instance(), endpoint, { ...(await sent()), ...changes });

  test.each(enough)('an operator of the group %s is accepted', async (group) => {
    expect(await call({ groups: [group] })).toMatchObject({ status: 200, json: { err: null } });
  });

  test('an operator without a sufficient group is forbidden before the request is validated', async () => {
    for (const groups of [...tooLittle.map((group) => [group]), [], ['not admin'], ['[admin']]) {
      const token = await tokenWith(instance(), { 'cognito:groups': groups });
      for (const nonsense of [{}, endpoint.body === nothing ? { query: { limit: 'x' } } : { body: '{' }]) {
        const reply = await call({ token, ...nonsense });
        expect(reply).toMatchObject({ status: 403, code: 'forbidden', json: { res: null } });
      }
    }
  });

  test('a token of another kind that has the scope is forbidden', async () => {
    const token = await tokenWith(instance(), { token_use: 'id' });
    expect(await call({ token })).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('the gateway rejects a missing or expired token, one of another issuer, and an API key', async () => {
    const { apiKey } = await instance().newKey();
    const tokens = ['', 'junk', apiKey, await expiredToken(instance()), await foreignToken(instance())];
    for (const token of tokens) {
      const reply = await call({ token });
      expect([reply.status, reply.text]).toEqual([401, '{"message":"Unauthorized"}']);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('the gateway rejects an ID token, and an access token without the scope', async () => {
    const idToken = await tokenWith(instance(), { token_use: 'id', scope: undefined, client_id: undefined });
    for (const token of [idToken, await tokenWithoutScope(instance())]) {
      const reply = await call({ token });
      expect([reply.status, reply.text]).toEqual([403, '{"message":"Forbidden"}']);
    }
  });

  if (endpoint.body !== nothing) testBodies((body) => call({ body }));
};

// Parameters of unknown items: permitted callers get an error, and nothing changes.
const paramsOf = ({ route }: Endpoint): Record<string, string> =>
  Object.fromEntries(
    Array.from(route?.path.matchAll(/\{(\w+)\}/g) ?? [], ([, name = '']) => [
      name,
      name === 'revision' ? '999999' : 'x',
    ]),
  );

/**
 * Which roles an endpoint for operators lets in, and that it looks at the role before the request. It needs no valid
 * request, so that it holds for every endpoint in the contract. Call it inside a `describe`.
 */
export const testRoles = (endpoint: Endpoint, instance: () => SharedInstance): void => {
  const role = endpoint.access.kind === 'operator' ? endpoint.access.role : 'admin';
  const call = (sent: Sent) => send(instance(), endpoint, { params: paramsOf(endpoint), body: '{', ...sent });
  const sentTo = endpoint.body === nothing ? { body: undefined, query: { limit: 'x' } } : {};

  test.each(ROLES)('the role %s is accepted only if it is sufficient', async (group) => {
    const { status, code } = await call({ ...sentTo, groups: [group] });
    if (ROLES.indexOf(group) < ROLES.indexOf(role)) expect([status, code]).toEqual([403, 'forbidden']);
    else expect([401, 403]).not.toContain(status);
  });

  test('an operator without a role is forbidden', async () => {
    const token = await tokenWith(instance(), { 'cognito:groups': [] });
    expect(await call({ ...sentTo, token })).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('the gateway rejects a missing token and an API key', async () => {
    for (const token of ['', (await instance().newKey()).apiKey])
      expect((await call({ ...sentTo, token })).status).toBe(401);
  });

  if (endpoint.body !== nothing) testBodies((body) => call({ body }));
};

/** Endpoints for applications reject operators. Call it inside a `describe`. */
export const testOperatorsKeptOut = (instance: () => SharedInstance): void => {
  test.each([promptGetCompiled, vaultGetSecrets])(
    "an operator's token is not an API key for $id",
    async (endpoint) => {
      const token = await operatorToken(instance());
      const reply = await instance().post(endpoint.route?.path ?? '', {}, token);
      expect([reply.status, reply.code]).toEqual([401, 'unauthenticated']);
    },
  );
};
