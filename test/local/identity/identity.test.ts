import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { configIn } from '../../../contract/sign-in.ts';
import { operatorsIn } from '../../../local/identity/operators.ts';
import { openIdentityStore } from '../../../local/identity/store.ts';
import { emailOf, ensureOperator, operatorToken, operatorTokens } from '../../support/operators.ts';
import { runHere } from '../../support/processes/process.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';
import {
  authorizationRequest,
  createBrowser,
  redeem,
  requestTokens,
  signIn,
  type Tokens,
} from '../../support/sign-in.ts';

const ADMIN = emailOf(['admin']);

withOwnInstance();
beforeAll(async () => {
  await ensureOperator(instance, ['admin']);
});

/** What the browser takes back to the site: a code, or an error. */
const returned = (response: Response, name: 'code' | 'error'): string | null =>
  new URL(response.headers.get('location') ?? '', instance.url).searchParams.get(name);

const refresh = (refreshToken: string): Promise<Response> =>
  requestTokens(instance.url, { grant_type: 'refresh_token', refresh_token: refreshToken });

test('an access token has the claims of Cognito and the e-mail address', async () => {
  const token = await operatorToken(instance, { groups: ['editor', 'viewer'] });
  const claims = decodeJwt(token);
  expect(decodeProtectedHeader(token).alg).toBe('RS256');
  expect(claims).toMatchObject({
    iss: `${instance.url}/oidc`,
    token_use: 'access',
    scope: 'openid email cuevault/admin',
    username: claims.sub,
    email: 'editor-viewer@example.com',
    client_id: expect.any(String),
  });
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(600);
});

test('an ID token is marked as one, and has no scope', async () => {
  const claims = decodeJwt((await operatorTokens(instance)).id_token);
  expect(claims).toMatchObject({ token_use: 'id', email: 'admin@example.com' });
  expect(claims.scope).toBeUndefined();
});

test('a scope that was not requested is not in the token', async () => {
  const { access_token: token } = await signIn(instance, ADMIN, {
    scope: 'openid email',
  });
  expect(decodeJwt(token).scope).toBe('openid email');
});

test('a sign-in without a code challenge is rejected', async () => {
  const { address } = authorizationRequest(instance.url);
  const url = new URL(address);
  url.searchParams.delete('code_challenge');
  url.searchParams.delete('code_challenge_method');
  expect(returned(await createBrowser().send(url.href), 'error')).toBe('invalid_request');
});

test('redirects lead only to the site', async () => {
  const { address } = authorizationRequest(instance.url, { redirect_uri: 'https://elsewhere.example.com/' });
  const response = await createBrowser().send(address);
  expect(response.status).toBe(400);
  expect(response.headers.has('location')).toBe(false);
});

describe('with a session', () => {
  const browser = createBrowser();
  let tokens: Tokens;

  beforeAll(async () => {
    tokens = await signIn(instance, ADMIN, { browser });
  });

  test('the next sign-in of the browser needs no form, nor does a silent one', async () => {
    for (const parameters of [{}, { prompt: 'none' }]) {
      const { address, verifier } = authorizationRequest(instance.url, parameters);
      const response = await browser.send(address);
      expect(returned(response, 'code')).not.toBeNull();
      const reply = await redeem(instance.url, response.headers.get('location') ?? '', verifier);
      expect(reply.status).toBe(200);
    }
  });

  test('a code is rejected without its verifier, and the second time', async () => {
    const first = authorizationRequest(instance.url);
    const stolen = (await browser.send(first.address)).headers.get('location') ?? '';
    expect((await redeem(instance.url, stolen, 'x'.repeat(43))).status).toBe(400);
    const second = authorizationRequest(instance.url);
    const used = (await browser.send(second.address)).headers.get('location') ?? '';
    expect((await redeem(instance.url, used, second.verifier)).status).toBe(200);
    expect((await redeem(instance.url, used, second.verifier)).status).toBe(400);
  });

  test('a refresh token works once; reusing it revokes them all', async () => {
    tokens = await signIn(instance, ADMIN, { browser: createBrowser() });
    const renewed = (await (await refresh(tokens.refresh_token)).json()) as Tokens;
    expect(decodeJwt(renewed.access_token)).toMatchObject({ token_use: 'access' });
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
    expect((await refresh(renewed.refresh_token)).status).toBe(400);
  });
});

test('without a session a silent sign-in returns login_required', async () => {
  const { address } = authorizationRequest(instance.url, { prompt: 'none' });
  expect(returned(await createBrowser().send(address), 'error')).toBe('login_required');
});

test('signing out ends the session and its refresh tokens, and leads back to the site', async () => {
  const browser = createBrowser();
  const tokens = await signIn(instance, ADMIN, { browser });
  const signOut = configIn(await (await fetch(instance.url)).text())?.signOut;
  const page = await (
    await browser.send(`${signOut?.url}?${new URLSearchParams(signOut?.parameters)}`)
  ).text();
  const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
  const done = await browser.send(action, { xsrf, logout: 'yes' });
  expect(done.headers.get('location')).toBe(`${instance.url}/`);
  expect((await refresh(tokens.refresh_token)).status).toBe(400);
  const { address } = authorizationRequest(instance.url);
  expect((await browser.send(address)).headers.get('location')).toContain('/oidc/interaction/');
});

describe('npm run token', () => {
  const run = (dataFolder = instance.dataFolder, ...args: string[]) =>
    runHere('local/token.ts', args, { CUEVAULT_DATA: dataFolder });

  const ONE_LINE = /^[^\n]+$/;

  test('prints only the access token of the first operator', async () => {
    const done = await run();
    expect(done).toEqual({ status: 0, out: expect.stringMatching(ONE_LINE), err: '' });
    const { out } = done;
    expect(decodeJwt(out)).toMatchObject({
      iss: `${instance.url}/oidc`,
      token_use: 'access',
    });
    const headers = { authorization: `Bearer ${out}` };
    expect((await fetch(`${instance.url}/api/admin/metrics`, { headers })).status).toBe(200);
  });

  test('prints the token of the operator of the given group', async () => {
    for (const role of ['admin', 'editor', 'viewer']) {
      const { out } = await run(instance.dataFolder, role);
      expect(decodeJwt(out)).toMatchObject({ email: `${role}@example.com` });
    }
    for (const args of [['owner'], ['admin', 'viewer']]) {
      const err = expect.stringMatching(/admin, editor or viewer/);
      expect(await run(instance.dataFolder, ...args)).toEqual({ status: 1, out: '', err });
    }
  });

  test('reports in one line that nothing runs, the folder is missing, or the operator is disabled', async () => {
    const file = path.join(instance.dataFolder, 'first-run.json');
    const noted = readFileSync(file, 'utf8');
    const database = openIdentityStore(instance.dataFolder);
    const { account, setEnabled } = operatorsIn(database);
    setEnabled(account('admin@example.com')?.id ?? '', false);
    database.close();
    const cases = [
      [JSON.stringify({ url: 'http://localhost:9' }), 'npm start'],
      [noted, 'admin@example.com is disabled'],
    ];
    for (const [content = '', words] of cases) {
      writeFileSync(file, content);
      const failed = await run();
      expect(failed).toEqual({ status: 1, out: '', err: expect.stringMatching(ONE_LINE) });
      expect(failed.err).toContain(words);
    }
    writeFileSync(file, noted);
    expect(await run('/nowhere')).toEqual({ status: 1, out: '', err: expect.stringMatching(ONE_LINE) });
  });
});
