import { statSync } from 'node:fs';
import path from 'node:path';
import { decodeJwt } from 'jose';
import { openInstance, type TestInstance } from '../../support/instance.ts';
import { newFolder } from '../../support/new-folder.ts';
import {
  authorizationRequest,
  type Browser,
  createBrowser,
  linkOf,
  openLink,
  requestTokens,
  signIn,
} from '../../support/sign-in.ts';

const dataFolder = newFolder();
let instance: TestInstance;
let place: { readonly url: string; readonly dataFolder: string };

const start = async (port: number): Promise<void> => {
  instance = await openInstance({ dataFolder, port });
  place = { url: instance.url, dataFolder };
};

beforeAll(() => start(0));
afterAll(() => instance.stop());

/** The reply to the first request of a sign-in after the redirect: the page of the interaction, or a way on. */
const begin = async (browser: Browser, parameters: Record<string, string> = {}, headers = {}) => {
  const { address } = authorizationRequest(place.url, parameters);
  const asked = await browser.send(address);
  return browser.send(new URL(asked.headers.get('location') ?? '', place.url).href, undefined, headers);
};

const hasPass = (browser: Browser): boolean =>
  [...browser.cookies.keys()].some((name) => name.startsWith('cuevault_pass'));

test('the link is at the address of the instance, has 256 random bits, and only the owner can read its file', () => {
  const { origin, pathname, hash } = new URL(linkOf(place));
  expect([origin, pathname]).toEqual([place.url, '/sign-in']);
  expect(Buffer.from(hash.slice(1), 'base64url')).toHaveLength(32);
  expect(instance.signInLink).toBe(linkOf(place));
  expect(statSync(path.join(dataFolder, 'sign-in-link')).mode & 0o777).toBe(0o600);
});

test('the page of the link runs only its own script, loads nothing, and cannot be framed or kept', async () => {
  const response = await fetch(`${place.url}/sign-in`);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('referrer-policy')).toBe('same-origin');
  const page = await response.text();
  expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
  expect(page.indexOf('replaceState')).toBeLessThan(page.indexOf('fetch('));
});

test('at another name of this machine, the page leads to the address of the instance', async () => {
  const { port } = new URL(place.url);
  const response = await fetch(`http://127.0.0.1:${port}/sign-in`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([307, `${place.url}/sign-in`]);
});

test('without the link, a browser is told where it is and gets no further', async () => {
  const response = await begin(createBrowser());
  expect(response.status).toBe(200);
  const page = await response.text();
  expect(page).toContain('Open the link that <code>npm start</code> has printed.');
  expect(page).toContain('sign-in-link');
});

test.each([
  ['another user of this machine, who guesses', 'x'.repeat(43), {}],
  ['nobody, who sends nothing', '', {}],
  ['another site, whose page got hold of the value', undefined, { origin: 'https://elsewhere.example' }],
  ['a page of another port of this machine', undefined, { origin: 'http://localhost:1' }],
  ['a page without an origin', undefined, { origin: 'null' }],
])('%s gets 403 and no pass', async (_, value, headers) => {
  const browser = createBrowser();
  const { origin, hash } = new URL(linkOf(place));
  const response = await browser.send(`${origin}/oidc/link`, value ?? hash.slice(1), { origin, ...headers });
  expect([response.status, hasPass(browser)]).toEqual([403, false]);
  expect(await (await begin(browser)).text()).toContain('Open the link');
});

test('no program gets a pass without an origin, and nothing in an address opens it', async () => {
  const value = new URL(linkOf(place)).hash.slice(1);
  const bare = await fetch(`${place.url}/oidc/link`, { method: 'POST', body: value });
  expect([bare.status, bare.headers.has('set-cookie')]).toEqual([403, false]);
  for (const address of [`/oidc/link?${value}`, `/sign-in?${value}`])
    expect((await fetch(place.url + address, { redirect: 'manual' })).headers.has('set-cookie')).toBe(false);
});

test('a pass is a strict cookie of the provider that lasts a minute', async () => {
  const response = await openLink(createBrowser(), linkOf(place));
  expect(response.status).toBe(204);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^cuevault_pass_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/oidc; Max-Age=60$/,
    ),
  ]);
});

test('a pass works once', async () => {
  const browser = createBrowser();
  await openLink(browser, linkOf(place));
  const [[name = '', pass = ''] = []] = browser.cookies;
  expect((await begin(browser)).status).toBe(303);
  const thief = createBrowser();
  const copied = await begin(
    thief,
    {},
    { cookie: `${name}=${pass}; ${[...thief.cookies].map((pair) => pair.join('=')).join('; ')}` },
  );
  expect(await copied.text()).toContain('Open the link');
});

test('the link signs in as the administrator, and whoever is signed in continues as another operator', async () => {
  const browser = createBrowser();
  const admin = await signIn(place, 'admin@example.com', { browser });
  expect(decodeJwt(admin.access_token)).toMatchObject({ email: 'admin@example.com' });
  const next = await begin(browser, { prompt: 'login', login_hint: 'viewer@example.com' });
  expect(next.status).toBe(303);
  const returned = await browser.send(next.headers.get('location') ?? '');
  expect(returned.headers.get('location')).toContain('code=');
  // The former session has ended, with what was issued under it.
  const renewed = { grant_type: 'refresh_token', refresh_token: admin.refresh_token };
  expect((await requestTokens(place.url, renewed)).status).toBe(400);
});

test('another site cannot choose who a signed-in browser is', async () => {
  const browser = createBrowser();
  await signIn(place, 'admin@example.com', { browser });
  const hint = { prompt: 'login', login_hint: 'viewer@example.com' };
  const page = await begin(browser, hint, { 'sec-fetch-site': 'cross-site' });
  expect(await page.text()).toContain('Open the link');
});

test.each(['who@example.com', '"><script>alert(1)</script>'])(
  '%s is no operator, and not repeated',
  async (hint) => {
    const browser = createBrowser();
    await openLink(browser, linkOf(place));
    const page = await (await begin(browser, { login_hint: hint })).text();
    expect(page).toContain('There is no such operator');
    expect(page).not.toContain(hint);
  },
);

test('after a restart the former link opens nothing, and its value is in no log and no database', async () => {
  const former = linkOf(place);
  const { logs } = instance;
  const { port } = new URL(place.url);
  await instance.stop();
  await start(Number(port));
  expect(linkOf(place)).not.toBe(former);
  expect((await openLink(createBrowser(), former)).status).toBe(403);
  expect([...logs, ...instance.logs].join('')).not.toContain(new URL(former).hash.slice(1));
  expect(await signIn(place, 'editor@example.com')).toHaveProperty('access_token');
});
