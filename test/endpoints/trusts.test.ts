import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { ask, column, refused, send } from '../support/admin.ts';
import { operatorToken } from '../support/operators.ts';
import { aPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { localIssuerKey, newTrust, tokenOfWorker } from '../support/trusts.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

const CLUSTER = 'https://kubernetes.default.svc';

type Claims = Readonly<Record<string, unknown>>;

const issuer = () => instance.firstRun.identityIssuer;
const tokenOf = (claims: Claims) => tokenOfWorker(claims);

const wanted = (rest: Claims = {}) => ({
  name: 'worker',
  kind: 'trust',
  issuer: issuer(),
  match: { '/sub': 'worker' },
  permissions: ['prompts'],
  ...rest,
});
const trust = async (rest?: Claims): Promise<{ keyId: string; audience: string }> => {
  const { key, apiKey } = await ask('keys-create', wanted(rest));
  expect(apiKey).toBeUndefined();
  await instance.settled();
  return key;
};

let promptId: string;
beforeAll(async () => {
  ({ promptId } = await aPrompt());
});

/** The reply to a fetch with a credential: its status, or its error code. */
const fetched = async (credential: string): Promise<number | string> => {
  const { status, code } = await instance.post('/api/prompt/get-compiled', { promptId }, credential);
  return code ?? status;
};
const expectRefused = async (credential: string | Promise<string>) =>
  expect(await fetched(await credential)).toBe('unauthenticated');

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1_000);

/** A token made by hand, to lie in its header. */
const forged = (header: Claims, claims: Claims, signer: (text: string) => Buffer): string => {
  const text = `${part(header)}.${part({ iat: now(), exp: now() + 600, ...claims })}`;
  return `${text}.${signer(text).toString('base64url')}`;
};
// Known to nobody here.
const FOREIGN = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const rs256 = (key: KeyObject) => (text: string) => sign('sha256', Buffer.from(text), key);
/** A key of a cluster, and what signs with it. */
const cluster = () => {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    limits: { issuer: CLUSTER, jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'same' }] } },
    signer: (text: string) => sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }),
  };
};
const ofCluster = (aud: string, signer: (text: string) => Buffer) =>
  forged({ alg: 'ES256', kid: 'same' }, { iss: CLUSTER, sub: 'worker', aud }, signer);

test('a token of the trust is admitted without a stored key, and revoking ends it with the next request', async () => {
  const { keyId, audience } = await trust();
  expect(audience).toBe(`cuevault:local:${keyId}`);
  const [token = '', another = ''] = await Promise.all(
    [audience, [audience]].map((aud) => tokenOf({ sub: 'worker', aud })),
  );
  expect([await fetched(token), await fetched(another)]).toEqual([200, 200]);
  expect((await instance.post('/api/vault/get-secrets', {}, token)).code).toBe('forbidden');
  const { issuerKeys, key } = await ask('keys-get', { keyId });
  expect([issuerKeys.count, key.kind, key.audience]).toEqual([1, 'trust', audience]);
  await ask('keys-revoke', { keyId });
  await expectRefused(token);
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
  async (endpoint) => {
    const iss = `https://${uniqueName('issuer').replaceAll('_', '-').toLowerCase()}.example.com`;
    const mine = await newTrust({ issuer: issuer() });
    const unfetched = await newTrust({ issuer: iss });
    const { kid } = await localIssuerKey();
    const unknown = 'cuevault:local:00000000';
    const answers = [
      { iss: issuer(), aud: unknown },
      { iss, aud: unknown },
      { iss: issuer(), aud: mine.audience },
      { iss, aud: mine.audience },
      { iss, aud: unfetched.audience },
    ].flatMap((claims) =>
      [kid, 'unknown'].map(async (id) => {
        const token = forged(
          { alg: 'RS256', kid: id },
          { sub: 'worker', ...claims },
          rs256(FOREIGN.privateKey),
        );
        const { status, code, text } = await send(endpoint, {}, { token });
        return [status, code, text];
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
  const { kid, n, e } = await localIssuerKey();
  const claims = { iss: issuer(), sub: 'worker', aud: audience };
  const jwk = FOREIGN.publicKey.export({ format: 'jwk' });
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
    await expectRefused(forged(header, claims, rs256(FOREIGN.privateKey)));
  const byPublicKey = (text: string) => createHmac('sha256', JSON.stringify({ n, e })).update(text).digest();
  await expectRefused(forged({ alg: 'HS256', kid }, claims, byPublicKey));
  await expectRefused(forged({ alg: 'none', kid }, claims, () => Buffer.from('x')));
});

test('two clusters of one name: each trust has keys of its own, and the keys of one admit nobody to the other', async () => {
  const clusters = await Promise.all(
    [cluster(), cluster()].map(async ({ limits, signer }) => ({ ...(await trust(limits)), signer })),
  );
  const statuses = clusters.flatMap(({ audience }) =>
    clusters.map(({ signer }) => fetched(ofCluster(audience, signer))),
  );
  expect(await Promise.all(statuses)).toEqual([200, 'unauthenticated', 'unauthenticated', 200]);
});

test('a signature of any length, and a key with which anybody signs, is refused and not an error', async () => {
  const { audience } = await trust(cluster().limits);
  for (const bytes of [1, 63, 65, 96, 256])
    await expectRefused(ofCluster(audience, () => Buffer.alloc(bytes, 7)));
  const { n } = FOREIGN.publicKey.export({ format: 'jwk' });
  // The exponents 1, 2 and 65,536.
  for (const e of ['AQ', 'Ag', 'AQAA']) {
    const jwks = { keys: [{ kty: 'RSA', kid: 'weak', n, e }] };
    await refused('keys-create', 'invalid_request', wanted({ issuer: CLUSTER, jwks }));
  }
});

test('a claim that differs is shown to operators, unless it says whose token it is', async () => {
  const match = { '/sub': 'worker', '/ref_protected': ['true'], '/runner_id': [7, 8] };
  const { keyId, audience } = await trust({ match });
  const of = (claims: Claims) =>
    tokenOf({ sub: 'worker', aud: audience, ref_protected: 'true', runner_id: 7, ...claims });
  expect(await fetched(await of({}))).toBe(200);
  for (const claims of [{ ref_protected: true }, { runner_id: '7' }, { runner_id: undefined }])
    await expectRefused(of(claims));
  await expectRefused(of({ sub: 'stranger', runner_id: 9 }));
  const { refused: shown } = await ask('keys-get', { keyId });
  for (const claim of [
    { pointer: '/ref_protected', wanted: '["true"]', got: 'true' },
    { pointer: '/runner_id', wanted: '[7,8]', got: '"7"' },
  ])
    expect(shown).toContainEqual(expect.objectContaining({ reason: 'claims', claim }));
  expect(JSON.stringify(shown)).not.toContain('stranger');
});

test('a claim of any length and with hidden characters is shown as one short line without them', async () => {
  const { keyId, audience } = await trust({ match: { '/sub': 'worker', '/job': ['build'] } });
  const job = `\u009b31m\u202e${'x'.repeat(500)}`;
  await expectRefused(tokenOf({ sub: 'worker', aud: audience, job }));
  const [{ got }] = column((await ask('keys-get', { keyId })).refused, 'claim');
  expect(got).toMatch(/^"\\u009b31m\\u202ex{50,}$/);
  expect(got).toHaveLength(200);
});

const of = (host: string, match: object = { '/sub': 'worker' }) => ({ issuer: `https://${host}`, match });

test.each([
  ['no issuer', '"issuer"', { issuer: undefined }],
  ['an issuer without https', '"issuer"', { issuer: 'http://example.com' }],
  ['an issuer at an address', '"issuer"', of('169.254.169.254')],
  ['an issuer in another spelling', '"issuer"', of('GitLab.com')],
  ['no match', '"match"', { match: undefined }],
  ['nobody', '"/sub"', { match: {} }],
  [
    'a public issuer without an owner',
    '"/repository_owner_id" or "/repository_id"',
    of('token.actions.githubusercontent.com', { '/sub': 'repo:acme/app' }),
  ],
  ['half an identity', '"/project_id"', of('oidc.vercel.com/acme', { '/owner_id': 'team_1' })],
  ['an id that is a number', 'quotation marks', of('gitlab.com', { '/project_id': 22 })],
  ['a name that is no pointer', 'JSON Pointer', { match: { sub: 'worker' } }],
  ['an empty list', '"/sub"', { match: { '/sub': [] } }],
  ['keys that sign nothing', '"jwks"', { jwks: { keys: [{ kty: 'oct', kid: 'a', k: 'AA' }] } }],
  ['what only trusts have', '"issuer" is only for trusts', { kind: 'key' }],
] as [string, string, Claims][])('a trust with %s is refused: %s', async (_, what, wrong) => {
  expect(await refused('keys-create', 'invalid_request', wanted(wrong))).toContain(what);
});
