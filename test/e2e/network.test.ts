import type { Browser, Page } from 'playwright-core';
import { promptsCreate } from '../../contract/endpoints/prompts-create.ts';
import { ask } from '../support/admin.ts';
import { openBrowser, visit } from '../support/browser.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';

const STALE_MS = 6_000;

let browser: Browser;
let instance: TestInstance;

beforeAll(async () => {
  [browser, instance] = await Promise.all([openBrowser(), openInstance({ sample: true })]);
});

afterAll(async () => {
  await browser?.close();
  await instance?.stop();
});

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

test('without a network the service on this machine is asked all the same', async () => {
  const { page, close } = await visit(browser, instance, { groups: ['editor'] });
  await page.getByRole('table', { name: 'Prompts' }).waitFor();
  await page.evaluate("dispatchEvent(new Event('offline'))");
  await link(page, 'Secrets').click();
  await page.getByRole('table', { name: 'Secrets' }).waitFor();
  await close();
});

test('a service that cannot be reached is said, with a way to try again', async () => {
  const { page, close } = await visit(browser, instance);
  await page.route('**/api/admin/audit*', (route) => route.abort());
  await link(page, 'Audit').click();
  await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
  await page.unroute('**/api/admin/audit*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table', { name: 'Audit entries' }).waitFor();
  await close();
});

test.each([
  ['script', /\/assets\/usage-screen-.*\.js/],
  ['style', /\/assets\/(?!index).*\.css/],
])('a screen whose %s is there no more asks to load the site anew', async (_, file) => {
  const { page, close } = await visit(browser, instance);
  await link(page, 'greeting').click();
  await page.getByRole('heading', { name: 'greeting', exact: true }).waitFor();
  await page.route(file, (route) => route.fulfill({ status: 404, body: '' }));
  await link(page, 'Usage and history').click();
  await page.getByRole('heading', { name: 'Load the site anew', level: 1 }).waitFor();
  await page.unroute(file);
  await page.getByRole('button', { name: 'Load anew' }).click();
  await page.getByRole('heading', { name: 'Usage and access history' }).waitFor();
  await close();
});

test('without the command palette, which is there no more, a screen goes on', async () => {
  const { page, close } = await visit(browser, instance);
  await page.route(/\/assets\/commands-/, (route) => route.fulfill({ status: 404, body: '' }));
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'Load the site anew' }).waitFor();
  await page.getByRole('table', { name: 'Prompts' }).waitFor();
  await close();
});

test('what was changed in another window shows when this one has the focus again', async () => {
  const { page, close } = await visit(browser, instance);
  await page.clock.install();
  await page.reload();
  await page.getByRole('table', { name: 'Prompts' }).waitFor();
  await ask(instance, promptsCreate, { body: { name: 'elsewhere', prompt: 'Hello' } });
  await page.clock.fastForward(STALE_MS);
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await link(page, 'elsewhere').waitFor();
  await close();
});
