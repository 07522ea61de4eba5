import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { configIn, pageWith, type SiteConfig } from '../../../contract/sign-in.ts';
import { createStaticSite, type StaticSite } from '../../../local/gateway/static-site.ts';
import { newFolder } from '../../support/new-folder.ts';

const PAGE = '<title>site</title><script type="application/json" id="config"></script>';

let folder: string;
let server: Server;
let origin: string;
let site: StaticSite;

beforeAll(async () => {
  folder = newFolder();
  mkdirSync(path.join(folder, 'dist', 'assets'), { recursive: true });
  writeFileSync(path.join(folder, 'secret.txt'), 'secret');
  writeFileSync(path.join(folder, 'dist', 'index.html'), PAGE);
  writeFileSync(path.join(folder, 'dist', '.hidden'), 'secret');
  writeFileSync(path.join(folder, 'dist', 'favicon.svg'), '<svg/>');
  writeFileSync(path.join(folder, 'dist', 'assets', 'index-abc123.js'), 'run()');
  writeFileSync(path.join(folder, 'dist', 'assets', 'font-abc123.woff2'), 'font');
  server = createServer((request, response) => {
    if (!site(request, response)) response.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  site = createStaticSite(origin, { root: path.join(folder, 'dist') });
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** Leaves the path as it is, which fetch would straighten. */
const raw = (target: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    httpRequest(
      { hostname, port, path: target, headers: { accept: 'text/html' } },
      async (reply: IncomingMessage) => {
        resolve({ status: reply.statusCode ?? 0, text: (await reply.toArray()).join('') });
      },
    )
      .on('error', reject)
      .end();
  });

const page = (target: string, init: RequestInit = {}): Promise<Response> =>
  fetch(origin + target, { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual', ...init });

test('hashed files are cached for a year, the page and its settings never', async () => {
  const script = await page('/assets/index-abc123.js');
  expect(script.headers.get('content-type')).toMatch(/^text\/javascript/);
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  for (const target of ['/', '/index.html', '/favicon.svg']) {
    expect((await page(target)).headers.get('cache-control')).toBe('no-store');
  }
});

test('texts are compressed for those who accept it, and fonts are not', async () => {
  const encodings = async (encoding: string) => {
    const init = { headers: { accept: 'text/html', 'accept-encoding': encoding } };
    const targets = ['/', '/favicon.svg', '/assets/index-abc123.js', '/assets/font-abc123.woff2'];
    return Promise.all(
      targets.map(async (target) => (await page(target, init)).headers.get('content-encoding')),
    );
  };
  expect(await encodings('gzip, br')).toEqual(['gzip', 'gzip', 'gzip', null]);
  expect(await encodings('identity')).toEqual([null, null, null, null]);
  expect(await (await page('/assets/index-abc123.js')).text()).toBe('run()');
  expect((await page('/assets/font-abc123.woff2')).headers.get('content-type')).toBe('font/woff2');
});

test('every file, and the page for every screen, forbids inline scripts, framing and content sniffing', async () => {
  const screens = ['/', '/prompts', '/prompts/prm_x/versions/1.2.0', '/signed-in?code=x'];
  for (const target of [...screens, '/assets/index-abc123.js']) {
    const { headers, status } = await page(target);
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.has('strict-transport-security')).toBe(true);
  }
});

test('the page names the provider, the client and the way to sign out', async () => {
  expect(configIn(await (await page('/')).text())).toEqual({
    authority: `${origin}/oidc`,
    signIn: { authorize: `${origin}/oidc/auth`, token: `${origin}/oidc/token` },
    clientId: expect.any(String),
    scope: 'openid email cuevault/admin',
    apiUrl: origin,
    signOut: {
      url: `${origin}/oidc/session/end`,
      parameters: { client_id: expect.any(String), post_logout_redirect_uri: `${origin}/` },
    },
    sourceHosts: ['github.com', 'gitlab.com'],
  });
});

test('no value of the configuration ends the element that holds it', () => {
  const config = { authority: '</script><script>run()</script>$&' } as SiteConfig;
  const html = pageWith(PAGE, config);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(configIn(html)).toEqual(config);
});

test.each(['/api', '/api/admin/nothing', '/health', '/assets/gone.js', '/gone.svg'])(
  '%s is left to the API',
  async (target) => {
    expect((await page(target)).status).toBe(418);
  },
);

test('a request that does not accept HTML gets an error instead of the page', async () => {
  expect((await page('/prompts', { headers: { accept: 'application/json' } })).status).toBe(418);
  expect((await page('/prompts', { method: 'POST' })).status).toBe(418);
});

test.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '//secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/..%5csecret.txt',
  '/%252e%252e/secret.txt',
  '/.hidden',
  '/secret.txt%00.js',
  '/%zz',
])('%s does not escape the build folder', async (target) => {
  expect((await raw(target)).text).not.toContain('secret');
});

test('other names of this machine redirect to the origin that tokens are issued for', async () => {
  const response = await fetch(`${origin.replace('localhost', '127.0.0.1')}/prompts?q=1`, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  });
  expect([response.status, response.headers.get('location')]).toEqual([307, `${origin}/prompts?q=1`]);
});

test('without a build there are no screens', async () => {
  const built = site;
  site = createStaticSite(origin, { root: path.join(folder, 'nowhere') });
  for (const target of ['/', '/prompts']) expect((await page(target)).status).toBe(418);
  site = built;
});
