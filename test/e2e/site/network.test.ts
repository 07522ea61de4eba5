import type { Page } from 'playwright-core';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { ask } from '../../support/admin.ts';
import { show, visit } from '../../support/browser/browser.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

const STALE_MS = 61_000;
const GREETING = promptIdOf('greeting');

openSite({
  sample: true,
  provoked: /status of 5\d\d|net::ERR_|^ImportFailed|The service cannot be reached/,
});

beforeAll(async () => {
  await instance.post('/api/prompt/get-compiled', { name: 'greeting' });
  await instance.settled();
  const { promptId } = (await ask('prompts-create', { name: 'gone', prompt: 'Bye' })).prompt;
  await ask('prompts-delete', { promptId });
});

const changes = (page: Page) => page.getByRole('region', { name: 'Last changes' });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

test('a service on this machine is called even if the browser is offline', async () => {
  const { page, close } = await visit(browser, instance, { groups: ['editor'] });
  await page.getByRole('table', { name: 'Prompts' }).waitFor();
  await page.evaluate("dispatchEvent(new Event('offline'))");
  await link(page, 'Secrets').click();
  await page.getByRole('table', { name: 'Secrets' }).waitFor();
  await close();
});

const SHIFTS = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 100);
})`;

test('a reload of any screen makes at most 25 requests, of them three to the service, and shifts nothing', async () => {
  const { page, close } = await visit(browser, instance, { path: '/' });
  const [{ secretId }] = (await ask('secrets-list')).secrets;
  const [{ keyId }] = (await ask('keys-list')).keys;
  const greeting = `/prompts/${GREETING}`;
  const few = ['/', '/prompts', '/prompts/deleted', '/prompts/labels', '/prompts/live', `${greeting}/usage`];
  const more = [greeting, '/prompts/new', `${greeting}/new-version`, `${greeting}/compare`];
  few.push('/secrets', '/secrets/import', '/secrets/deleted', `/secrets/${secretId}`, '/vault');
  few.push('/api-keys', `/api-keys/${keyId}`, '/operators', '/notifications', '/audit');
  let sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  const beyond: unknown[] = [];
  for (const path of [...few, ...more]) {
    sent = [];
    await page.goto(instance.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const calls = sent.filter((each) => each.startsWith('/api/'));
    if (sent.length > 25 || (few.includes(path) && calls.length > 3)) beyond.push([path, sent]);
    if (path === '/' && (await page.evaluate<number>(SHIFTS)) > 0.05) beyond.push('layout shift');
  }
  expect(beyond).toEqual([]);
  await close();
}, 120_000);

test('an unreachable service is reported, with a retry button', async () => {
  const { page, close } = await visit(browser, instance);
  await page.route('**/api/admin/audit*', (route) => route.abort());
  await link(page, 'Audit').click();
  await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).first().waitFor();
  await page.unroute('**/api/admin/audit*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'Audit entries' }).waitFor();
  await close();
});

test('a screen whose script no longer exists asks to reload the page', async () => {
  const file = /\/assets\/audit-screen-.*\.js/;
  const { page, close } = await visit(browser, instance);
  await page.route(file, (route) => route.fulfill({ status: 404, body: '' }));
  await link(page, 'Audit').click();
  await page.getByRole('heading', { name: 'Reload the page', level: 1 }).waitFor();
  await page.unroute(file);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
  await close();
});

test('a screen that was not loaded when the service went down says so, and comes back by itself', async () => {
  const { page, close } = await visit(browser, instance);
  await page.route('**/*', (route) => route.abort());
  await link(page, 'Audit').click();
  await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).first().waitFor();
  expect(await page.getByText('updated').count()).toBe(0);
  await page.unrouteAll();
  await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
  await close();
});

test('what appears on top of the overview loads with the first press', async () => {
  const { page, close } = await visit(browser, instance, { path: '/' });
  await page.route('**/api/admin/overview*', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.res.totals.samples = 0;
    await route.fulfill({ response, json });
  });
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.reload();
  await changes(page).waitFor();
  await page.waitForLoadState('networkidle');
  expect(sent.filter((url) => /assets\/(?:overlays|lists)-/.test(url))).toEqual([]);
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await close();
});

test('the user menu and the command palette open once they are loaded if they were asked for before', async () => {
  const { page, close } = await visit(browser, instance, { path: '/' });
  const askedBefore = async (ask: () => Promise<void>) => {
    const loaded = Promise.withResolvers<void>();
    await page.route(/\/assets\/overlays-/, (route) => loaded.promise.then(() => route.continue()));
    await page.reload();
    await changes(page).waitFor();
    await ask();
    loaded.resolve();
  };
  await askedBefore(() => page.getByRole('button', { name: /admin@example.com/ }).click());
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await askedBefore(() => page.keyboard.press('Control+k'));
  await page.getByRole('dialog').getByRole('combobox').fill('secrets');
  await page.getByRole('dialog').getByRole('option', { name: 'Secrets', exact: true }).waitFor();
  await close();
});

test.each([
  ['the command palette', /\/assets\/commands-/],
  ['menus and dialogs', /\/assets\/overlays-/],
])('the overview works without %s if their file no longer exists, and says so', async (_, file) => {
  const { page, close } = await visit(browser, instance, { path: '/' });
  await page.route(file, (route) => route.fulfill({ status: 404, body: '' }));
  await page.reload();
  await changes(page).waitFor();
  await page.keyboard.press('Control+k');
  const said = 'A part of the site could not be loaded. Reload the page.';
  await page.getByRole('alert').filter({ hasText: said }).first().waitFor();
  await changes(page).waitFor();
  // What the message covers must not shine through.
  const surfaces = await page.evaluate<string[]>(`(() => {
    const surfaceOf = (element) => {
      const color = getComputedStyle(element).backgroundColor;
      return color === 'rgba(0, 0, 0, 0)' ? surfaceOf(element.parentElement) : color;
    };
    const alerts = Array.from(document.querySelectorAll('[role=alert]'));
    return alerts.filter((alert) => alert.textContent === ${JSON.stringify(said)}).map(surfaceOf);
  })()`);
  expect(new Set(surfaces)).toEqual(new Set(['rgb(255, 255, 255)']));
  await close();
});

test('the page of a prompt opens with at most three calls of the service, and one about the prompt', async () => {
  const { page, close } = await visit(browser, instance);
  await link(page, 'greeting').waitFor();
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/admin/')) calls.push(pathname);
  });
  await show(page, `/prompts/${GREETING}`);
  await page.getByRole('region', { name: /^Template of version/ }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(calls.filter((path) => path.includes(GREETING))).toEqual([`/api/admin/prompts/${GREETING}`]);
  expect(calls.length).toBeLessThanOrEqual(3);
  await close();
});

test.each([
  ['/prompts', 'Prompts', '/api/admin/prompts'],
  ['/prompts/deleted', 'Deleted prompts', '/api/admin/deleted-prompts'],
  [`/prompts/${GREETING}/usage`, 'Access history', `/api/admin/prompts/${GREETING}/accesses`],
  ['/secrets', 'Secrets', '/api/admin/secrets'],
  ['/api-keys', 'API keys', '/api/admin/api-keys'],
  ['/audit', 'Audit entries', '/api/admin/audit'],
])(
  'rows of %s disappear once the service answers that the operator may not see them',
  async (path, name, api) => {
    const { page, close } = await visit(browser, instance, { path });
    await page.clock.install();
    await page.reload();
    await page.getByRole('table', { name, exact: true }).waitFor();
    // A list that still reads its next page is not read again on focus.
    await page.waitForLoadState('networkidle');
    await page.route(
      (url) => url.pathname === api,
      (route) => route.fulfill({ status: 403, body: '{"message":"Forbidden"}' }),
    );
    await page.clock.fastForward(STALE_MS);
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByRole('heading', { name: 'You do not have permission' }).waitFor();
    expect(await page.getByRole('table', { name, exact: true }).count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'You do not have permission' }).count()).toBe(1);
    await close();
  },
);
