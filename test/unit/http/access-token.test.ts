import { generateKeyPair, UnsecuredJWT } from 'jose';
import { createTokenVerifier } from '../../../lambdas/http/access-token.ts';
import { startTokenIssuer, type TokenIssuer } from '../../support/token-issuer.ts';

const NOW = Math.floor(Date.now() / 1_000);

let issuer: TokenIssuer;
let verify: ReturnType<typeof createTokenVerifier>;
beforeEach(async () => {
  issuer = await startTokenIssuer();
  verify = createTokenVerifier(issuer.settings);
});
afterEach(() => issuer.stop());

test('a token of the issuer is accepted, and its keys are fetched once for all calls', async () => {
  const token = await issuer.sign();
  const headers = [`Bearer ${token}`, `bearer ${token}`, token];
  for (const claims of await Promise.all(headers.map(verify)))
    expect(claims).toMatchObject({ email: 'ada@example.com', username: 'u' });
  await verify(`Bearer ${await issuer.sign({ email: 'eve@example.com' })}`);
  expect(issuer.fetches()).toBe(1);
});

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['an API key', 'Bearer cue_AAAAAAAA_x'],
  ['three parts of nonsense', 'Bearer a.b.c'],
  ['one of another issuer', { iss: 'https://cognito-idp.eu-west-1.amazonaws.com/other' }],
  ['one for another client', { client_id: 'other' }],
  ['one without a client', { client_id: undefined }],
  ['one without the scope', { scope: 'openid email' }],
  ['one that has expired', { iat: NOW - 700, exp: NOW - 100 }],
  ['one that is not valid yet', { nbf: NOW + 100 }],
])('no other token is accepted: %s', async (_, given) => {
  const header = typeof given === 'object' ? await issuer.sign(given) : given;
  await expect(verify(header)).rejects.toMatchObject({ code: 'forbidden' });
});

test('a token that another key signed is refused, under a known or unknown id, which fetches no keys again and again, and so is an unsigned one', async () => {
  const { privateKey: key } = await generateKeyPair('RS256');
  const unsigned = new UnsecuredJWT({ iss: issuer.settings.issuer, client_id: 'admin-site' }).encode();
  const unknown = ['1', '2', '3', '4', '5'].map((kid) => issuer.sign({}, { key, kid }));
  for (const token of [unsigned, await issuer.sign({}, { key }), ...(await Promise.all(unknown))])
    await expect(verify(`Bearer ${token}`)).rejects.toMatchObject({ code: 'forbidden' });
  expect(issuer.fetches()).toBeLessThanOrEqual(2);
});

test('a token that a new key of the issuer signed is accepted', async () => {
  await verify(await issuer.sign());
  await issuer.rotate('k2');
  expect(await verify(await issuer.sign())).toHaveProperty('email');
  expect(issuer.fetches()).toBe(2);
});

test('while the keys cannot be fetched nobody is admitted, and the next call tries again', async () => {
  const token = await issuer.sign();
  issuer.answer(500);
  await expect(verify(token)).rejects.toMatchObject({ code: 'unavailable' });
  issuer.answer(200);
  expect(await verify(token)).toHaveProperty('email');
});

test('a token is accepted from the client of its kind of user only', async () => {
  const companyClientId = 'company';
  const both = createTokenVerifier({ ...issuer.settings, companyClientId });
  const person = { operator_id: 'op_1', client_id: companyClientId };
  expect(await both(await issuer.sign(person))).toMatchObject({ operator_id: 'op_1' });
  for (const wrong of [{ ...person, client_id: 'admin-site' }, { client_id: companyClientId }])
    await expect(both(await issuer.sign(wrong))).rejects.toMatchObject({ code: 'forbidden' });
  await expect(verify(await issuer.sign(person))).rejects.toMatchObject({ code: 'forbidden' });
});
