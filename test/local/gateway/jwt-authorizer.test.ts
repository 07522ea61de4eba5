import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { createJwtAuthorizer, type JwtAuthorizer } from '../../../local/gateway/jwt-authorizer.ts';

const ISSUER = 'http://localhost:3000/oidc';
const AUDIENCE = 'client';
const SCOPE = 'cuevault/admin';

const now = Math.floor(Date.now() / 1_000);

type Claims = Readonly<Record<string, unknown>>;

const GOOD: Claims = {
  iss: ISSUER,
  sub: 'someone',
  client_id: AUDIENCE,
  scope: `openid ${SCOPE}`,
  iat: now,
  exp: now + 600,
};

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

let authorize: JwtAuthorizer;
let key: Key;
let otherKey: Key;

beforeAll(async () => {
  const pair = await generateKeyPair('RS256');
  key = pair.privateKey;
  otherKey = (await generateKeyPair('RS256')).privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };
  authorize = createJwtAuthorizer({ issuer: ISSUER, audience: AUDIENCE, keys: { keys: [jwk] } });
});

const sign = (claims: Claims, header: object = { kid: 'k1' }, with_: Key = key): Promise<string> =>
  new SignJWT(claims as JWTPayload).setProtectedHeader({ alg: 'RS256', ...header }).sign(with_);

const judge = async (claims: Claims) => authorize(`Bearer ${await sign({ ...GOOD, ...claims })}`, SCOPE);

test('a valid token passes, with or without the word Bearer', async () => {
  const token = await sign(GOOD);
  for (const header of [`Bearer ${token}`, `bearer ${token}`, token]) {
    expect(await authorize(header, SCOPE)).toHaveProperty('jwt');
  }
});

test('every claim reaches the function as text, a list in brackets', async () => {
  const judged = await judge({ 'cognito:groups': ['admin', 'editor'], email_verified: true });
  expect(judged).toEqual({
    jwt: {
      claims: {
        ...GOOD,
        iat: String(now),
        exp: String(now + 600),
        'cognito:groups': '[admin editor]',
        email_verified: 'true',
      },
      scopes: ['openid', SCOPE],
    },
    claims: { ...GOOD, 'cognito:groups': ['admin', 'editor'], email_verified: true },
  });
});

test.each<[string, Claims]>([
  ['of another issuer', { iss: 'http://localhost:3001/oidc' }],
  ['without an issuer', { iss: undefined }],
  ['without an end', { exp: undefined }],
  ['that is not valid yet', { nbf: now + 60 }],
  ['that was issued in the future', { iat: now + 60 }],
  ['of another client', { client_id: 'other' }],
  ['for another audience, whatever the client', { aud: 'other' }],
  ['for nobody', { client_id: undefined }],
])('a token %s is rejected', async (_, claims) => {
  expect(await judge(claims)).toEqual({ refused: 401 });
});

test('the audience, if present, counts instead of the client', async () => {
  expect(await judge({ aud: ['other', AUDIENCE], client_id: 'other' })).toHaveProperty('jwt');
});

test('a valid token with scopes that only begin like the one that is needed is forbidden', async () => {
  expect(await judge({ scope: 'openid cuevault/administrator' })).toEqual({ refused: 403 });
});

test('a signature by another key, no signature, another algorithm or an unknown key is rejected', async () => {
  const [header = '', payload = '', signature = ''] = (await sign(GOOD)).split('.');
  const tampered = Buffer.from(JSON.stringify({ ...GOOD, sub: 'admin' })).toString('base64url');
  const hmac = await new SignJWT(GOOD as JWTPayload)
    .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
    .sign(new TextEncoder().encode('k'.repeat(32)));
  const tokens = [
    await sign(GOOD, { kid: 'k1' }, otherKey),
    await sign(GOOD, { kid: 'k2' }),
    await sign(GOOD, {}),
    new UnsecuredJWT(GOOD as JWTPayload).encode(),
    hmac,
    `${header}.${tampered}.${signature}`,
    `${header}.${payload}.`,
    'cue_abcdefgh_0123456789',
    '',
  ];
  for (const token of tokens) expect(await authorize(`Bearer ${token}`, SCOPE)).toEqual({ refused: 401 });
  expect(await authorize(undefined, SCOPE)).toEqual({ refused: 401 });
});
