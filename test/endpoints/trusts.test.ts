import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { ask, refused } from '../support/admin.ts';
import { operatorToken } from '../support/operators.ts';
import { aPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { localIssuerKey, newTrust, tokenOfWorker } from '../support/trusts.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

const PROMPT = '/api/prompt/get-compiled';
const CLUSTER = 'https://kubernetes.default.svc';

type Claims = Readonly<Record<string, unknown>>;

const ofIssuer = () => localIssuerKey(instance);
const issuer = () => instance.firstRun.identityIssuer;
const tokenOf = (claims: Claims) => tokenOfWorker(instance, claims);

const trust = async (rest: Claims = {}): Promise<{ keyId: string; audience: string }> => {
  const match = { '/sub': 'worker' };
  const body = { name: 'worker', kind: 'trust', issuer: issuer(), match, permissions: ['prompts'], ...rest };
  const { key, apiKey } = await ask(instance, 'keys-create', { body });
  expect(apiKey).toBeUndefined();
  await instance.settled();
  return key;
};

let promptId: string;
beforeAll(async () => {
  ({ promptId } = await aPrompt(instance));
});

/** The reply to a fetch with a credential: its status, or its error code. */
const fetched = async (credential: string): Promise<number | string> => {
  const { status, code } = await instance.post(PROMPT, { promptId }, credential);
  return code ?? status;
};

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1_000);

/** A token made by hand, to lie in its header. */
const forged = (header: Claims, claims: Claims, signer: (text: string) => Buffer): string => {
  const text = `${part(header)}.${part({ iat: now(), exp: now() + 600, ...claims })}`;
  return `${text}.${signer(text).toString('base64url')}`;
};
const rs256 = (key: KeyObject) => (text: string) => sign('sha256', Buffer.from(text), key);

test('a token of the trust is admitted without a stored key, and revoking ends it with the next request', async () => {
  const { keyId, audience } = await trust();
  expect(audience).toBe(`cuevault:local:${keyId}`);
  const token = await tokenOf({ sub: 'worker', aud: audience });
  expect([await fetched(token), await fetched(await tokenOf({ sub: 'worker', aud: [audience] }))]).toEqual([
    200, 200,
  ]);
  expect((await instance.post('/api/vault/get-secrets', {}, token)).code).toBe('forbidden');
  const { issuerKeys, key } = await ask(instance, 'keys-get', { params: { keyId } });
  expect([issuerKeys.count, key.kind, key.audience]).toEqual([1, 'trust', audience]);
  await ask(instance, 'keys-revoke', { params: { keyId } });
  expect(await fetched(token)).toBe('unauthenticated');
});

test('a token for another service, trust, stage or issuer, or of another time, is refused', async () => {
  const mine = await trust();
  const other = await trust({ name: 'other', match: { '/sub': 'someone else' } });
  const of = (claims: Claims) => tokenOf({ sub: 'worker', aud: mine.audience, ...claims });
  const { apiKey, keyId } = await instance.newKey();
  for (const [what, token] of Object.entries({
    'another audience': await of({ aud: 'https://sts.amazonaws.com' }),
    'another trust': await of({ aud: other.audience }),
    'two audiences': await of({ aud: [mine.audience, other.audience] }),
    'another stage': await of({ aud: mine.audience.replace('local', 'prod') }),
    'no trust but a key': await of({ aud: `cuevault:local:${keyId}` }),
    'an unknown trust': await of({ aud: 'cuevault:local:00000000' }),
    'a look-alike issuer': await of({ iss: `${issuer()}/` }),
    'someone else': await of({ sub: 'Worker' }),
    'no subject': await of({ sub: undefined }),
    expired: await of({ exp: now() - 1 }),
    'without end': await of({ exp: undefined }),
    'valid for more than 24 hours': await of({ exp: now() + 86_500 }),
    'not yet valid': await of({ nbf: now() + 120 }),
    'from the future': await of({ iat: now() + 120 }),
    'a time that is a text': await of({ nbf: '0' }),
    'of an operator': await operatorToken(instance),
    'a key with the id of a trust': apiKey.replace(keyId, mine.keyId),
  }))
    expect([what, await fetched(token)]).toEqual([what, 'unauthenticated']);
  expect(await fetched(await of({ iat: now() + 30, exp: now() + 86_000 }))).toBe(200);
  expect(await fetched(await of({ filler: 'x'.repeat(9_000) }))).toBe('token_too_large');
});

test.each(ENDPOINTS.filter(({ access, form }) => access.kind === 'api-key' && form === 'envelope'))(
  '$id answers a token that proves nothing the same whether or not its trust and issuer exist',
  async ({ route }) => {
    const iss = `https://${uniqueName('issuer').replaceAll('_', '-').toLowerCase()}.example.com`;
    const mine = await newTrust(instance, { issuer: issuer() });
    const unfetched = await newTrust(instance, { issuer: iss });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const { kid } = await ofIssuer();
    const method = route?.method ?? '';
    const answers = [
      { iss: issuer(), aud: 'cuevault:local:00000000' },
      { iss, aud: 'cuevault:local:00000000' },
      { iss: issuer(), aud: mine.audience },
      { iss, aud: mine.audience },
      { iss, aud: unfetched.audience },
    ].flatMap((claims) =>
      [kid, 'unknown'].map(async (id) => {
        const token = forged({ alg: 'RS256', kid: id }, { sub: 'worker', ...claims }, rs256(privateKey));
        const reply = await fetch(instance.url + route?.path, {
          method,
          headers: { authorization: `Bearer ${token}` },
          ...(method === 'POST' && { body: '{}' }),
        });
        return [reply.status, reply.headers.get('cuevault-error'), await reply.text()];
      }),
    );
    const [first, ...others] = await Promise.all(answers);
    expect(first?.slice(0, 2)).toEqual([401, 'unauthenticated']);
    for (const other of others) expect(other).toEqual(first);
  },
);

test("Langfuse's route takes no token, and the job refreshes every issuer in use", async () => {
  const { audience } = await trust();
  const password = Buffer.from(`x:${await tokenOf({ aud: audience })}`).toString('base64');
  const { status } = await fetch(`${instance.url}/api/public/v2/prompts/greeting`, {
    headers: { authorization: `Basic ${password}` },
  });
  expect(status).toBe(401);
  expect(await instance.invoke('issuer-keys', {})).not.toHaveProperty('failure');
});

test('only the keys of the issuer decide about a signature, and never the header of a token', async () => {
  const { audience } = await trust();
  const { kid, n, e } = await ofIssuer();
  const claims = { iss: issuer(), sub: 'worker', aud: audience };
  const own = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const jwk = own.publicKey.export({ format: 'jwk' });
  const byPublicKey = (text: string) => createHmac('sha256', JSON.stringify({ n, e })).update(text).digest();
  for (const header of [
    { alg: 'RS256', kid: 'mine' },
    { alg: 'RS256', kid },
    { alg: 'RS256' },
    { alg: 'RS256', kid, jwk },
    { alg: 'RS256', kid, jku: 'https://example.com/keys', x5u: 'https://example.com/cert' },
    { alg: 'RS256', kid, crit: ['exp'] },
    { alg: 'RS512', kid },
    { alg: 'ES256', kid },
    { kid },
  ])
    expect(await fetched(forged(header, claims, rs256(own.privateKey)))).toBe('unauthenticated');
  expect(await fetched(forged({ alg: 'HS256', kid }, claims, byPublicKey))).toBe('unauthenticated');
  expect(await fetched(forged({ alg: 'none', kid }, claims, () => Buffer.from('x')))).toBe('unauthenticated');
});

test('two clusters of one name: each trust has keys of its own, and the keys of one admit nobody to the other', async () => {
  const clusters = await Promise.all(
    [1, 2].map(async () => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'same' }] };
      const { audience } = await trust({ issuer: CLUSTER, jwks });
      const signer = (text: string) =>
        sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return { audience, signer };
    }),
  );
  const header = { alg: 'ES256', kid: 'same' };
  const statuses = clusters.flatMap(({ audience }) =>
    clusters.map(({ signer }) =>
      fetched(forged(header, { iss: CLUSTER, sub: 'worker', aud: audience }, signer)),
    ),
  );
  expect(await Promise.all(statuses)).toEqual([200, 'unauthenticated', 'unauthenticated', 200]);
});

test('a signature of any length, and a key with which anybody signs, is refused and not an error', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'ec' }] };
  const { audience } = await trust({ issuer: CLUSTER, jwks });
  const claims = { iss: CLUSTER, sub: 'worker', aud: audience };
  for (const bytes of [1, 63, 65, 96, 256])
    expect(await fetched(forged({ alg: 'ES256', kid: 'ec' }, claims, () => Buffer.alloc(bytes, 7)))).toBe(
      'unauthenticated',
    );
  const { n } = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({ format: 'jwk' });
  const body = {
    name: uniqueName('weak'),
    permissions: ['prompts'],
    issuer: CLUSTER,
    match: { '/sub': 'x' },
  };
  // The exponents 1, 2 and 65,536.
  for (const e of ['AQ', 'Ag', 'AQAA'])
    await refused(instance, 'keys-create', 'invalid_request', {
      body: { ...body, jwks: { keys: [{ kty: 'RSA', kid: 'weak', n, e }] } },
    });
});

test('a claim that differs is shown to operators, unless it says whose token it is', async () => {
  const match = { '/sub': 'worker', '/ref_protected': ['true'], '/runner_id': [7, 8] };
  const { keyId, audience } = await trust({ match });
  const of = (claims: Claims) =>
    tokenOf({ sub: 'worker', aud: audience, ref_protected: 'true', runner_id: 7, ...claims });
  expect(await fetched(await of({}))).toBe(200);
  for (const claims of [{ ref_protected: true }, { runner_id: '7' }, { runner_id: undefined }])
    expect(await fetched(await of(claims))).toBe('unauthenticated');
  expect(await fetched(await of({ sub: 'stranger', runner_id: 9 }))).toBe('unauthenticated');
  const { refused: shown } = await ask(instance, 'keys-get', { params: { keyId } });
  expect(shown.map(({ reason, claim }: { reason: string; claim: Claims }) => [reason, claim])).toEqual(
    expect.arrayContaining([
      ['claims', { pointer: '/ref_protected', wanted: '["true"]', got: 'true' }],
      ['claims', { pointer: '/runner_id', wanted: '[7,8]', got: '"7"' }],
    ]),
  );
  expect(JSON.stringify(shown)).not.toContain('stranger');
});

test('a claim of any length and with hidden characters is shown as one short line without them', async () => {
  const { keyId, audience } = await trust({ match: { '/sub': 'worker', '/job': ['build'] } });
  const job = `\u009b31m\u202e${'x'.repeat(500)}`;
  expect(await fetched(await tokenOf({ sub: 'worker', aud: audience, job }))).toBe('unauthenticated');
  const { refused: shown } = await ask(instance, 'keys-get', { params: { keyId } });
  expect(shown[0].claim.got).toMatch(/^"\\u009b31m\\u202ex{50,}$/);
  expect(shown[0].claim.got).toHaveLength(200);
});

test.each([
  ['no issuer', { issuer: undefined }, '"issuer"'],
  ['an issuer without https', { issuer: 'http://example.com' }, '"issuer"'],
  ['an issuer at an address', { issuer: 'https://169.254.169.254' }, '"issuer"'],
  ['an issuer in another spelling', { issuer: 'https://GitLab.com' }, '"issuer"'],
  ['no match', { match: undefined }, '"match"'],
  ['nobody', { match: {} }, '"/sub"'],
  [
    'a public issuer without an owner',
    { issuer: 'https://token.actions.githubusercontent.com', match: { '/sub': 'repo:acme/app' } },
    '"/repository_owner_id" or "/repository_id"',
  ],
  [
    'half an identity',
    { issuer: 'https://oidc.vercel.com/acme', match: { '/owner_id': 'team_1' } },
    '"/project_id"',
  ],
  [
    'an id that is a number',
    { issuer: 'https://gitlab.com', match: { '/project_id': 22 } },
    'quotation marks',
  ],
  ['a name that is no pointer', { match: { sub: 'worker' } }, 'JSON Pointer'],
  ['an empty list', { match: { '/sub': [] } }, '"/sub"'],
  ['keys that sign nothing', { jwks: { keys: [{ kty: 'oct', kid: 'a', k: 'AA' }] } }, '"jwks"'],
  ['what only trusts have', { kind: 'key' }, '"issuer" is only for trusts'],
])('a trust with %s is refused', async (_, wrong, what) => {
  const match = { '/sub': 'worker' };
  const body = { name: 'x', kind: 'trust', issuer: issuer(), match, permissions: ['prompts'], ...wrong };
  expect(await refused(instance, 'keys-create', 'invalid_request', { body })).toContain(what);
});
