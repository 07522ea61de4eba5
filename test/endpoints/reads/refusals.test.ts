import { setImmediate } from 'node:timers/promises';
import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { promptsCreate } from '../../../contract/endpoints/prompts.ts';
import { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import { ERROR_STATUS, type ErrorCode } from '../../../contract/http/errors.ts';
import { generateApiKey } from '../../../lambdas/core/api-keys/new-key.ts';
import { API_KEY } from '../../../lambdas/store/api-keys/api-key-row.ts';
import { signedItem, toItem } from '../../../lambdas/store/signing/writes.ts';
import { putItem } from '../../../lambdas/store/table.ts';
import { type Reply, toReply } from '../../support/calls.ts';
import { tokenWith } from '../../support/operators.ts';
import { newApiKey } from '../../support/rows/api-keys.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

const NAME = uniqueName('known');
const PROMPT = promptGetCompiled.route?.path ?? '';

withSharedInstance();
beforeAll(async () => {
  await newPrompt(instance.table, { name: NAME });
});

const expectHeaders = ({ headers }: Reply) => {
  expect(headers.get('cuevault-request-id')).toMatch(/\S/);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.has('access-control-allow-origin')).toBe(false);
};

const flipped = (apiKey: string, at: number): string =>
  apiKey.slice(0, at) + (apiKey[at] === 'a' ? 'b' : 'a') + apiKey.slice(at + 1);

describe.each([
  // Each with a body that it would answer with 200.
  { id: promptGetCompiled.id, route: PROMPT, permission: 'prompts', other: 'secrets', body: { name: NAME } },
  {
    id: vaultGetSecrets.id,
    route: vaultGetSecrets.route?.path ?? '',
    permission: 'secrets',
    other: 'prompts',
    body: {},
  },
] as const)('$id', ({ route, permission, other, body }) => {
  const permissions = [permission];
  const call = (apiKey: string, headers: Record<string, string> = {}, sent: unknown = body) =>
    instance.post(route, sent, apiKey, headers);
  const texts = new Set<string>();
  const expectRefused = async (apiKey: string, headers: Record<string, string> = {}) => {
    const reply = await call(apiKey, headers);
    expect([reply.status, reply.code]).toEqual([401, 'unauthenticated']);
    texts.add(reply.text);
  };

  test('the scheme is case-insensitive, spaces around the key are ignored, and the reply has the standard headers', async () => {
    const { apiKey } = await instance.newKey({ permissions });
    const reply = await call('', { authorization: `bearer   ${apiKey} ` });
    expect(reply.status).toBe(200);
    expectHeaders(reply);
  });

  test('a missing or malformed header, and a mistyped, truncated or lengthened key, are rejected', async () => {
    const { apiKey } = await instance.newKey();
    await expectRefused('');
    for (const authorization of ['', 'Bearer', 'Bearer ', apiKey, `Basic ${apiKey}`, `Bearer ${apiKey} x`])
      await expectRefused('', { authorization });
    await expectRefused('', { 'x-api-key': apiKey });
    for (const at of [0, 5, 12, 14, 30, apiKey.length - 1]) await expectRefused(flipped(apiKey, at));
    for (const length of [apiKey.slice(0, -1), `${apiKey}0`]) await expectRefused(length);
  });

  test('a well-formed key that is unknown, or has the id of another, is rejected', async () => {
    await expectRefused(generateApiKey().apiKey);
    const foreign = generateApiKey();
    const record = { ...(await newApiKey(instance.table)).record, keyId: foreign.keyId };
    await putItem(instance.table, await signedItem(instance.table, API_KEY, record));
    await expectRefused(foreign.apiKey);
  });

  test('a key with a forged record is rejected, and the reply does not say why', async () => {
    const forged = generateApiKey();
    await putItem(
      instance.table,
      toItem(API_KEY, { ...(await newApiKey(instance.table)).record, ...forged }),
    );
    const reply = await call(forged.apiKey);
    expect(reply).toMatchObject({ status: 500, code: 'integrity', json: { res: null } });
    expect(reply.json.err).toContain('Internal error.');
    const logs = () => instance.logs.join('');
    // The log of a function arrives separately from its reply.
    while (!logs().includes(`The row APIKEY#${forged.keyId} / KEY is refused`)) await setImmediate();
    expect(logs()).toContain('"IntegrityFailures":1');
  });

  test('a key is accepted before its expiry, and rejected from then on; every rejected key gets the same message', async () => {
    const expiring = async (at: number) =>
      (await instance.newKey({ expiresAt: new Date(at).toISOString(), at: new Date(Date.now() - 3_600_000) }))
        .apiKey;
    expect((await call(await expiring(Date.now() + 3_600_000))).status).toBe(200);
    await expectRefused(await expiring(Date.now()));
    const message = { err: expect.stringContaining('Authorization: Bearer'), res: null };
    expect(Array.from(texts, (text) => JSON.parse(text))).toEqual([message]);
  });

  test(`a key with only the permission "${other}" is forbidden, and the key is checked before the body`, async () => {
    const { apiKey } = await instance.newKey({ permissions: [other] });
    expect(await call(apiKey)).toMatchObject({ status: 403, code: 'forbidden', json: { res: null } });
    expect((await call('', {}, '{')).code).toBe('unauthenticated');
    expect((await call(apiKey, {}, '{')).code).toBe('forbidden');
  });

  test('a key for other addresses is rejected regardless of headers, one for this address is accepted', async () => {
    const cidrs = ['203.0.113.0/24'];
    const elsewhere = await instance.newKey({ permissions, cidrs });
    const here = await instance.newKey({ permissions, cidrs: [...cidrs, '127.0.0.0/8', '::1'] });
    const claim = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
    expect(await call(elsewhere.apiKey, claim)).toMatchObject({ status: 403, code: 'address_not_allowed' });
    expect((await call(here.apiKey)).status).toBe(200);
  });
});

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

const MALFORMED: readonly [ErrorCode, Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>][] = [
  [
    'invalid_json',
    {
      'an empty body': '',
      'bad JSON': '{"name": ',
      'bytes that are not UTF-8': Uint8Array.of(0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d),
    },
  ],
  [
    'invalid_request',
    {
      'an array': '[]',
      'a number': '7',
      'a string': '"name"',
      null: 'null',
      'deeply nested arrays': nested(200_000, '[', ']'),
      'deeply nested objects': nested(100_000, '{"a":', '}').replace(':}', ':1}'),
      'deep nesting inside an unknown field': `{"unknown": ${nested(500, '[', ']')}}`,
      'a lone surrogate': '{"key": "\\ud800", "name": "\\ud800"}',
      'a lone surrogate in a name': '{"\\udfff": 1}',
      'a number beyond all bounds': '{"key": 1e999, "name": 1e999}',
      'wrong types': '{"name": {}, "key": [], "tags": 7, "version": [], "variables": "x"}',
    },
  ],
  ['body_too_large', { 'a body above the limit': `{"name": "${'x'.repeat(1_048_576)}"}` }],
];

// What reads a body is one for all endpoints.
describe.each([promptGetCompiled, vaultGetSecrets, promptsCreate])('$id', ({ id, route }) => {
  const post = async (body: string | Uint8Array<ArrayBuffer>): Promise<Reply> => {
    const credential = id === promptsCreate.id ? await tokenWith(instance) : instance.firstRun.apiKey;
    const headers = { authorization: `Bearer ${credential}` };
    return toReply(await fetch(instance.url + route?.path, { method: 'POST', headers, body }));
  };

  test.each(
    MALFORMED.flatMap(([code, bodies]) =>
      Object.entries(bodies).map(([what, body]) => [what, code, body] as const),
    ),
  )('%s is rejected with the envelope and %s', async (_, code, body) => {
    const reply = await post(body);
    expect([reply.status, reply.code]).toEqual([ERROR_STATUS[code], code]);
    expect(reply.json).toEqual({ err: expect.stringMatching(/\S.*\.$/s), res: null });
    expectHeaders(reply);
  });

  test('__proto__ in the body is an unknown field like any other', async () => {
    const reply = await post('{"__proto__": {"key": "x", "name": "x"}, "constructor": 1}');
    expect(reply.status).toBeLessThan(500);
    expect(Object.keys(reply.json)).toEqual(['err', 'res']);
  });
});

test.each<[what: string, fields: object, status: number, ignored: string | null]>([
  ['a misspelled field', { varaibles: { user: 'SECRET-VALUE' } }, 200, 'varaibles'],
  ['one that is the reason for an error', { vesrion: '1.0.0', strict: 'SECRET-VALUE' }, 400, 'vesrion'],
  [
    'several, of which the sixth is left out, with what a header cannot hold',
    { 'é\r\nx': 'SECRET-VALUE', b: 1, c: [], d: {}, [`${'x'.repeat(63)}é`]: 1, f: 1 },
    200,
    `%C3%A9%0D%0Ax, b, c, d, ${'x'.repeat(63)}`,
  ],
  ['null', { varaibles: null, version: null }, 200, null],
])(
  '%s in the body is ignored, and named in a header without its value',
  async (_what, fields, status, ignored) => {
    const reply = await instance.post(PROMPT, { name: NAME, ...fields });
    expect([reply.status, reply.headers.get('cuevault-ignored')]).toEqual([status, ignored]);
    expect(JSON.stringify([...reply.headers])).not.toContain('SECRET');
  },
);

const APPLICATIONS = 'Applications call POST /api/prompt/get-compiled and POST /api/vault/get-secrets.';
const ADMIN = 'See docs/openapi.json for the admin API.';

test.each([
  ['GET', '/nowhere', APPLICATIONS],
  ['POST', '/api/vault/get-secrets/', APPLICATIONS],
  ['DELETE', '/%E0%A4%A', APPLICATIONS],
  ['POST', '//evil.example/api/vault/get-secrets', APPLICATIONS],
  ['GET', '/api/admin/nope', ADMIN],
  ['GET', '/api/administration', APPLICATIONS],
])('%s %s returns the envelope with 404 and where to find the routes', async (method, path, hint) => {
  const { status, code, json } = await toReply(await fetch(instance.url + path, { method }));
  const err = expect.stringMatching(new RegExp(`^There is no .*\\. ${hint.replaceAll('.', '\\.')}$`));
  expect([status, code, json]).toEqual([404, 'route_not_found', { err, res: null }]);
});

test.each([
  ['GET', PROMPT, 'POST'],
  ['PUT', '/api/vault/get-secrets', 'POST'],
  ['PATCH', '/api/admin/prompts/prm_1', 'DELETE, GET'],
])('%s %s returns the envelope with 405 and the allowed methods', async (method, path, allow) => {
  const { status, code, json, headers } = await toReply(await fetch(instance.url + path, { method }));
  expect([status, code, headers.get('allow')]).toEqual([405, 'method_not_allowed', allow]);
  expect(json).toEqual({ err: `${path} does not support ${method}. Use ${allow}.`, res: null });
});
