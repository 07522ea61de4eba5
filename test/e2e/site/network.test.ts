import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { ask } from '../../support/admin.ts';
import {
  absent,
  addPrompt,
  appears,
  arrive,
  byRole,
  exactly,
  headed,
  hotkey,
  instance,
  load,
  openSite,
  page,
  press,
  show,
  titled,
} from '../../support/browser/site.ts';

const STALE_MS = 61_000;
const GREETING = promptIdOf('greeting');

openSite({
  sample: true,
  provoked: /status of 5\d\d|net::ERR_|^ImportFailed|The service cannot be reached/,
});

beforeAll(async () => {
  await instance.post('/api/prompt/get-compiled', { name: 'greeting' });
  await instance.settled();
  const { promptId } = await addPrompt({ name: 'gone', prompt: 'Bye' });
  await ask('prompts-delete', { promptId });
  await arrive();
});

/** Leaves the site, so that nothing that an earlier screen asks for late is counted. */
const leave = async () => {
  await page.unrouteAll();
  // A page of another origin would start another process.
  await load('/config.json');
};

const open = async (path: string) => {
  await leave();
  await load(path);
  await byRole('heading').first().waitFor();
};

const changes = () => byRole('region', 'Last changes');
const link = (name: string) => exactly('link', name);

test('a service on this machine is called even if the browser is offline', async () => {
  await open('/prompts');
  await appears('table', 'Prompts');
  await page.evaluate("dispatchEvent(new Event('offline'))");
  await link('Secrets').click();
  await appears('table', 'Secrets');
});

const SHIFTS = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 100);
})`;

test('a reload of any screen asks for at most 23 addresses, of them three of the service, and shifts nothing', async () => {
  await open('/');
  const [{ secretId }] = (await ask('secrets-list')).secrets;
  const [{ keyId }] = (await ask('keys-list')).keys;
  const greeting = `/prompts/${GREETING}`;
  const few = ['/', '/prompts', '/prompts/deleted', '/prompts/live', `${greeting}/usage`];
  const more = [greeting, '/prompts/new', `${greeting}/new-version`, `${greeting}/compare`];
  few.push('/secrets', '/secrets/import', '/secrets/deleted', `/secrets/${secretId}`, '/vault');
  few.push('/api-keys', `/api-keys/${keyId}`, '/operators', '/notifications', '/audit');
  let sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  const beyond: unknown[] = [];
  for (const path of [...few, ...more]) {
    await leave();
    sent = [];
    await load(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const calls = sent.filter((each) => each.startsWith('/api/'));
    // Signing in repeats two; the start of a draft is read again if it arrives before the script of its screen.
    if (new Set(sent).size > 23 || (few.includes(path) && calls.length > 3)) beyond.push([path, sent]);
    if (path === '/' && (await page.evaluate<number>(SHIFTS)) > 0.05) beyond.push('layout shift');
  }
  expect(beyond).toEqual([]);
}, 120_000);

test('an unreachable service is reported, with a retry button', async () => {
  await open('/prompts');
  await page.route('**/api/admin/audit*', (route) => route.abort());
  await link('Audit').click();
  await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).first().waitFor();
  await page.unroute('**/api/admin/audit*');
  await press('Try again');
  await appears('table', 'Audit entries');
});

test('a screen whose script no longer exists asks to reload the page', async () => {
  const file = /\/assets\/audit-screen-.*\.js/;
  await open('/prompts');
  await page.route(file, (route) => route.fulfill({ status: 404, body: '' }));
  await link('Audit').click();
  await titled('Reload the page');
  await page.unroute(file);
  await press('Reload');
  await titled('Audit');
});

test('a screen that was not loaded when the service went down says so, and comes back by itself', async () => {
  await open('/prompts');
  await page.route('**/*', (route) => route.abort());
  await link('Audit').click();
  await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).first().waitFor();
  await absent(page.getByText('updated'));
  await page.unrouteAll();
  await titled('Audit');
});

test('what appears on top of the overview loads with the first press', async () => {
  await leave();
  await page.route('**/api/admin/overview*', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.res.totals.samples = 0;
    await route.fulfill({ response, json });
  });
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await load('/');
  await changes().waitFor();
  await page.waitForLoadState('networkidle');
  expect(sent.filter((url) => /assets\/(?:overlays|lists)-/.test(url))).toEqual([]);
  await hotkey('?');
  await page.getByRole('dialog').waitFor();
});

test('the user menu and the command palette open once they are loaded if they were asked for before', async () => {
  await leave();
  const askedBefore = async (ask: () => Promise<void>) => {
    const loaded = Promise.withResolvers<void>();
    await page.route(/\/assets\/overlays-/, (route) => loaded.promise.then(() => route.continue()));
    await load('/');
    await changes().waitFor();
    await ask();
    loaded.resolve();
  };
  await askedBefore(() => byRole('button', /admin@example.com/).click());
  await appears('menuitem', 'Sign out');
  await askedBefore(() => page.keyboard.press('Control+k'));
  await page.getByRole('dialog').getByRole('combobox').fill('secrets');
  await page.getByRole('dialog').getByRole('option', { name: 'Secrets', exact: true }).waitFor();
});

test.each([
  ['the command palette', /\/assets\/commands-/],
  ['menus and dialogs', /\/assets\/overlays-/],
])('the overview works without %s if their file no longer exists, and says so', async (_, file) => {
  await leave();
  await page.route(file, (route) => route.fulfill({ status: 404, body: '' }));
  await load('/');
  await changes().waitFor();
  await hotkey('Control+k');
  const said = 'A part of the site could not be loaded. Reload the page.';
  await page.getByRole('alert').filter({ hasText: said }).first().waitFor();
  await changes().waitFor();
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
});

test('the page of a prompt opens with at most three calls of the service, and one about the prompt', async () => {
  await open('/prompts');
  await link('greeting').waitFor();
  await page.waitForLoadState('networkidle');
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/admin/')) calls.push(pathname);
  });
  await show(`/prompts/${GREETING}`);
  await appears('region', /^Template of version/);
  await page.waitForLoadState('networkidle');
  expect(calls.filter((path) => path.includes(GREETING))).toEqual([`/api/admin/prompts/${GREETING}`]);
  expect(calls.length).toBeLessThanOrEqual(3);
});

describe('once the service answers that the operator may not see them', () => {
  beforeAll(async () => {
    await page.clock.install();
    await open('/');
  });

  test.each([
    ['/prompts', 'Prompts', '/api/admin/prompts'],
    ['/prompts/deleted', 'Deleted prompts', '/api/admin/deleted-prompts'],
    [`/prompts/${GREETING}/usage`, 'Access history', `/api/admin/prompts/${GREETING}/accesses`],
    ['/secrets', 'Secrets', '/api/admin/secrets'],
    ['/api-keys', 'API keys', '/api/admin/api-keys'],
    ['/audit', 'Audit entries', '/api/admin/audit'],
  ])('rows of %s disappear', async (path, name, api) => {
    await show(path);
    // A list that still reads its next page is not read again on focus.
    await exactly('table', name).and(page.locator(':not([aria-rowcount="-1"])')).waitFor();
    await page.route(
      (url) => url.pathname === api,
      (route) => route.fulfill({ status: 403, body: '{"message":"Forbidden"}' }),
    );
    await page.clock.fastForward(STALE_MS);
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await headed('You do not have permission');
    await absent(exactly('table', name));
    expect(await byRole('heading', 'You do not have permission').count()).toBe(1);
  });
});
