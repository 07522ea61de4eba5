import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { show, visit } from '../../support/browser/browser.ts';
import { seriousViolations, violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { newPrompt } from '../../support/rows/prompts.ts';

let page: Page;
let promptId: string;
let apiKey: string;

openSite();

beforeAll(async () => {
  const body = { name: 'greeting', prompt: 'Hello {{user}}', label: 'production' };
  ({ promptId } = (await ask('prompts-create', body)).prompt);
  const next = { prompt: 'Hello {{user}} of {{brand}}', bump: 'major' };
  await ask('versions-publish', { promptId, ...next });
  ({ apiKey } = await instance.newKey({ name: 'web' }));
  ({ page } = await visit(browser, instance, { groups: ['editor'] }));
});

const call = async () => {
  const body = { name: 'greeting', label: 'production', shouldCompile: true, strict: true };
  return (await instance.post('/api/prompt/get-compiled', { ...body, variables: { user: 'Ada' } }, apiKey))
    .status;
};
const notice = () => page.getByRole('alert').filter({ hasText: 'Calls fail' });

test('nothing is said while calls succeed', async () => {
  expect(await call()).toBe(200);
  await instance.settled();
  await show(page, `/prompts/${promptId}`);
  expect(await notice().count()).toBe(0);
});

test('after a move that breaks callers, the overview leads to the prompt, which says why, from where and the way back', async () => {
  const body = { version: '2.0.0', expected: '1.0.0' };
  await ask('labels-set', { promptId, label: 'production', ...body });
  expect(await call()).toBe(400);
  // Another key with which more calls fail than the panel has rows.
  const loud = await instance.newKey({ name: 'loud' });
  for (let i = 0; i < 8; i++) {
    const { name } = await newPrompt(instance.table);
    await instance.post('/api/prompt/get-compiled', { name, label: 'none' }, loud.apiKey);
  }
  await instance.settled();
  await show(page, '/');
  const panel = page.getByRole('region', { name: 'Needs attention' });
  await panel.waitFor();
  expect(await panel.getByRole('listitem').filter({ hasText: 'greeting' }).textContent()).toMatch(
    /^greetingweb: The prompt needs a value for "brand".*at least 1 call failed, first /,
  );
  expect(await seriousViolations(page)).toEqual([]);
  // What the screen has read before it is older than the page takes as true.
  await page.reload();
  await panel.getByRole('link', { name: 'greeting' }).click();
  await notice().getByText('since production moved to 2.0.0').waitFor();
  expect(await notice().textContent()).toMatch(
    /At least 1 call for 2\.0\.0, by the label production, failed since production moved to 2\.0\.0, from key web at (127\.0\.0\.1|::1): The prompt needs a value for "brand"\./,
  );
  expect(await seriousViolations(page)).toEqual([]);
});

test('the list of prompts marks the prompt, and the page of the key says what failed, with the reason', async () => {
  await show(page, '/prompts');
  const marked = page.getByRole('img', { name: 'At least 1 call of the last 24 hours failed or got gaps.' });
  expect(await page.getByRole('row').filter({ has: marked }).getByRole('link').first().textContent()).toBe(
    'greeting',
  );
  await show(page, `/api-keys/${apiKey.split('_')[1]}`);
  const failed = page.getByRole('region', { name: 'Failed in 14 days' });
  expect(await failed.getByRole('listitem').textContent()).toMatch(
    /^greetingproduction: The prompt needs a value for "brand"at least once, last /,
  );
  expect(await seriousViolations(page)).toEqual([]);
  await show(page, `/prompts/${promptId}`);
});

test('the notice stands over the version that it is about, and over no other', async () => {
  await page.getByRole('link', { name: /^1\.0\.0 / }).click();
  await page.getByRole('region', { name: 'Template of version 1.0.0' }).waitFor();
  expect(await notice().count()).toBe(0);
  await page.getByRole('link', { name: /^2\.0\.0 / }).click();
  await notice().waitFor();
});

test('the parts of the usage are its calls: served, served with a placeholder left, and failed', async () => {
  const body = { name: 'greeting', label: 'production', shouldCompile: true, variables: { user: 'Ada' } };
  for (let i = 0; i < 2; i++) await instance.post('/api/prompt/get-compiled', body, apiKey);
  await instance.settled();
  await show(page, `/prompts/${promptId}/usage`);
  const chart = page.getByRole('table', { name: 'Calls per day (UTC) and result' });
  await chart.waitFor({ state: 'attached' });
  expect(await chart.getByRole('columnheader').allTextContents()).toEqual([
    ...['Day', 'served', 'served with gaps', 'failed'],
  ]);
  expect(await chart.getByRole('row').last().getByRole('cell').allTextContents()).toEqual(['1', '2', '1']);
  const countOf = (title: string) => page.getByRole('heading', { name: title }).locator('..').textContent();
  expect(await countOf('Calls per day')).toBe('Calls per day4');
  await page.getByText('By version').click();
  // The chart has fetches alone then, and its number is theirs.
  await page.getByRole('heading', { name: 'Fetches per day' }).waitFor();
  expect(await countOf('Fetches per day')).toBe('Fetches per day3');
  const row = page.getByRole('table', { name: 'Calls by API key' }).getByRole('row').last();
  expect((await row.getByRole('cell').allTextContents()).slice(1, 3)).toEqual(['2.0.0, 1.0.0', '3']);
});

test('the overview does not say of served calls that they failed', async () => {
  await show(page, '/');
  await page.reload();
  const item = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
  await item.filter({ hasText: 'greeting' }).getByText('2 calls served with gaps, first').waitFor();
});

test('one click shows what is live in production, and in a tab beside it what moved, by whom, and the way back', async () => {
  await show(page, '/prompts');
  await page.getByRole('link', { name: 'What is live' }).click();
  const served = page.getByRole('table', { name: 'Served by production' }).getByRole('row');
  await served.getByRole('link', { name: 'greeting' }).waitFor();
  await served.getByText('1.0.0 → 2.0.0').last().waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Moves' }).click();
  await page.getByText('Last hour', { exact: true }).click();
  const row = page.getByRole('table', { name: 'Changes of production' }).getByRole('row');
  await row.getByText('1.0.0 → 2.0.0').last().waitFor();
  expect(await row.nth(1).textContent()).toMatch(/greeting.*operator|greeting.*@example\.com/);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  expect(await row.nth(1).getByRole('link', { name: 'Compare' }).getAttribute('href')).toContain(
    'from=1.0.0',
  );
  await row.getByRole('button', { name: 'Back to 1.0.0: production' }).click();
  await page.getByRole('dialog').getByText('What 1.0.0 changes compared with 2.0.0').waitFor();
  await page.keyboard.press('Escape');
});

test('going back ends it', async () => {
  await show(page, `/prompts/${promptId}`);
  await page.reload();
  // For both reasons, there is one way back.
  await notice().getByText('were served with gaps').waitFor();
  await notice().getByRole('button', { name: 'Back to 1.0.0: production' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Back to 1.0.0' }).click();
  await page.getByText('production serves 1.0.0 again.').waitFor();
  await notice().waitFor({ state: 'detached' });
  expect(await call()).toBe(200);
});
