import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { signingKeys } from '../../../lambdas/core/api-keys/jwks.ts';
import { fetchIssuerKeys, isPublicAddress } from '../../../lambdas/store/api-keys/fetch-keys.ts';
import { findIssuerKeys, issuerKeyOf } from '../../../lambdas/store/api-keys/issuer-keys.ts';
import { refreshIssuers } from '../../../lambdas/store/api-keys/refresh-issuers.ts';
import { table, withTestTable } from '../../support/rows/table.ts';
import { withServer } from '../../support/server.ts';

withTestTable();
let listener: RequestListener;
const served = withServer((request, reply) => listener(request, reply));

const jwk = (kid: string, bits = 2_048) => ({
  ...generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' }),
  kid,
});
const ISSUER = 'https://issuer.example.com';
const NOW = new Date('2026-01-15T12:00:00Z');
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

test('a container sees new keys within a minute and loses vanished ones within five, and an outage changes nothing', async () => {
  const one = signingKeys({ keys: [jwk('1')] });
  const two = signingKeys({ keys: [jwk('2')] });
  const refresh = (keys: () => typeof one, at: Date) =>
    refreshIssuers(table, async () => keys(), { issuer: ISSUER }, at);
  const found = async (kid: string, minutes: number) =>
    (await issuerKeyOf(table, ISSUER, kid, later(minutes)))?.kid;
  await refresh(() => one, NOW);
  expect(await found('1', 0)).toBe('1');
  await refresh(() => two, later(1));
  expect(await found('2', 0.5)).toBeUndefined();
  expect(await found('1', 4)).toBe('1');
  expect(await found('2', 4)).toBe('2');
  expect(await found('1', 4)).toBeUndefined();
  const [outcome] = await refresh(() => {
    throw new Error('It is down.');
  }, later(6));
  expect(outcome).toEqual({ issuer: ISSUER, problem: 'It is down.' });
  expect(await findIssuerKeys(table, ISSUER)).toMatchObject({ keys: two, problem: 'It is down.' });
  await refresh(() => two, later(11));
  expect((await findIssuerKeys(table, ISSUER))?.problem).toBeUndefined();
});

test('what an issuer writes is kept as one short line without hidden characters', async () => {
  const hostile = `https://x.example/\u009b31m\u202e\n${'x'.repeat(60_000)}`;
  const { url: issuer } = served;
  listener = (_, reply) => reply.end(JSON.stringify({ issuer, jwks_uri: hostile }));
  const [outcome] = await refreshIssuers(table, (each) => fetchIssuerKeys(each, issuer), { issuer }, NOW);
  expect(outcome?.problem).toContain('\\u009b31m\\u202e\\u000axxx');
  expect(outcome?.problem).toHaveLength(200);
  expect((await findIssuerKeys(table, issuer))?.problem).toBe(outcome?.problem);
});

test('the type of a key decides its algorithm, and keys that are weak, private or of another use are left out', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const ec = { ...publicKey.export({ format: 'jwk' }), kid: 'ec' };
  const keys = [
    jwk('rsa'),
    ec,
    { ...ec, kid: 'enc', use: 'enc' },
    { ...ec, kid: 'alg', alg: 'ES256' },
    jwk('weak', 1_024),
    { kty: 'oct', kid: 'oct', k: 'AA' },
    { ...jwk('x'), kid: undefined },
    'text',
  ];
  const found = signingKeys({ keys });
  expect(found.map(({ kid, alg }) => [kid, alg])).toEqual([
    ['rsa', 'RS256'],
    ['ec', 'ES384'],
  ]);
  const [kept] = signingKeys({ keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'private' }] });
  expect(kept).not.toHaveProperty('d');
  for (const wrong of [undefined, {}, { keys: [] }, { keys: [ec, ec] }, { keys: Array(21).fill(ec) }])
    expect(() => signingKeys(wrong)).toThrow('"jwks"');
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.0.1',
  '192.168.0.1',
  '0.0.0.0',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '2001:db8::1',
  'ff02::1',
  '224.0.0.1',
  '255.255.255.255',
])('%s is no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['140.82.112.5', '2606:4700::1111', '::ffff:140.82.112.5'])('%s is one', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each<[string, RequestListener, string]>([
  ['redirects', (_, reply) => reply.writeHead(302, { location: '/' }).end(), 'status 302'],
  ['is huge', (_, reply) => reply.end('x'.repeat(70_000)), 'more than 65536 bytes'],
  ['is no JSON', (_, reply) => reply.end('<html>'), 'JSON'],
  ['names another issuer', (_, reply) => reply.end('{"issuer":"https://gitlab.com"}'), 'another issuer'],
  [
    'names keys elsewhere',
    (_, reply) => reply.end(JSON.stringify({ issuer: served.url, jwks_uri: 'http://169.254.169.254/keys' })),
    'not the https address of keys',
  ],
])('an issuer whose answer %s has no keys', async (_, answer, problem) => {
  listener = answer;
  await expect(fetchIssuerKeys(served.url, served.url)).rejects.toThrow(problem);
});

test.each(['http://issuer.example.com', 'https://127.0.0.1', 'https://[::1]/', 'https://localhost'])(
  '%s is never called',
  async (issuer) => {
    await expect(fetchIssuerKeys(issuer)).rejects.toThrow(/not the https address|not public/);
  },
);
