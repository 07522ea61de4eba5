import type { Page } from 'playwright-core';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { show, visit } from '../../support/browser/browser.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

let page: Page;

openSite({ sample: true });

beforeAll(async () => {
  await instance.post('/api/prompt/get-compiled', { name: 'greeting' });
  await instance.settled();
  ({ page } = await visit(browser, instance));
});

const daysAskedFor = (): Set<string | null> => {
  const days = new Set<string | null>();
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (/\/(audit|accesses)$/.test(pathname) && pathname.startsWith('/api')) days.add(searchParams.get('to'));
  });
  return days;
};

test.each([
  ['audit', '/audit?period=days', 'To'],
  ['the access history', `/prompts/${promptIdOf('greeting')}/usage`, 'To (UTC)'],
])('typing a day in the filter of %s requests no other day', async (_, path, label) => {
  await show(page, path);
  const field = page.getByLabel(label, { exact: true });
  await field.click({ position: { x: 12, y: 12 } });
  const asked = daysAskedFor();
  await page.keyboard.type('11202026');
  await page.waitForURL(/to=2026-11-20/);
  expect(await field.inputValue()).toBe('2026-11-20');
  await field.click({ position: { x: 12, y: 12 } });
  await page.keyboard.type('12042025');
  await page.waitForURL(/to=2025-12-04/);
  await page.keyboard.press('Backspace');
  await field.blur();
  await page.waitForURL((url) => !url.searchParams.has('to'));
  await page.waitForLoadState('networkidle');
  asked.delete(null);
  expect([...asked].filter((day) => !/^202[56]-/.test(day ?? ''))).toEqual([]);
});

test.each([
  ['/prompts', 'Prompts'],
  ['/secrets', 'Secrets'],
  ['/api-keys', 'API keys'],
])('a rejected search on %s shows the error and can be corrected', async (path, name) => {
  await show(page, path);
  await page.getByRole('table', { name }).waitFor();
  const search = page.getByRole('searchbox');
  await search.fill('x'.repeat(300));
  await page.getByRole('alert').filter({ hasText: '256' }).waitFor();
  await search.fill('');
  await page.getByRole('table', { name }).waitFor();
  await show(page, `${path}?q=${'x'.repeat(300)}`);
  await page.getByRole('alert').filter({ hasText: '256' }).waitFor();
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await page.getByRole('table', { name }).waitFor();
});

test.each([
  ['/prompts', 'Prompts'],
  ['/audit', 'Audit entries'],
])('a slow filter on %s shows progress', async (path, name) => {
  await show(page, path);
  await page.getByRole('table', { name }).waitFor();
  const progress = Promise.withResolvers<void>();
  await page.route(/[?&](q|subject)=zz/, async (route) => {
    await progress.promise;
    await route.continue();
  });
  await page.getByRole('searchbox').last().fill('zz');
  await page.locator('[aria-busy=true]').getByLabel('Loading').waitFor();
  progress.resolve();
  await page.getByRole('heading', { name: /^No matching/ }).waitFor();
  await page.getByRole('searchbox').last().fill('');
  await page.getByRole('table', { name }).waitFor();
});

test.each([
  ['/prompts?sort=size&order=up&fetched=maybe&page=2', 'Prompts'],
  ['/secrets?sort=size&read=maybe', 'Secrets'],
  ['/api-keys?status=asleep', 'API keys'],
  ['/audit?kind=whisper&from=2026-13-45&to=2026-02-31&page=2', 'Audit entries'],
])('invalid values of %s are removed from the URL, and do not reach the service', async (path, name) => {
  const refused: string[] = [];
  page.on('response', (response) => response.status() === 400 && refused.push(response.url()));
  await page.goto(instance.url + path);
  await page.getByRole('table', { name }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  await show(page, '/');
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await show(page, path);
  await page.getByRole('table', { name }).waitFor();
  expect(refused).toEqual([]);
});

test('valid values in a URL are kept when invalid ones are removed', async () => {
  await page.goto(`${instance.url}/prompts?q=greeting&sort=size&order=desc`);
  await page.getByRole('link', { name: 'greeting' }).waitFor();
  expect(new URL(page.url()).search).toBe('?q=greeting&order=desc');
});
