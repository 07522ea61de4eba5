import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { secretsCreate } from '../../contract/endpoints/secrets/secrets-create.ts';
import { ask } from '../support/admin.ts';
import { show, type Visit, visit } from '../support/browser/browser.ts';
import { browser, instance, openSite } from '../support/browser/site.ts';

let viewer: Visit;
let page: Page;

openSite({ sample: true });

beforeAll(async () => {
  const body = { key: 'NOTED', value: 'MARKED', tags: [] };
  await ask(instance, secretsCreate, { body, groups: ['editor'] });
  await instance.post('/api/vault/get-secrets', { key: 'NOTED' });
  await instance.post('/api/vault/get-secrets', { tags: ['llm'] });
  viewer = await visit(browser, instance, { groups: ['viewer'], path: '/audit' });
  page = viewer.page;
});

const table = () => page.getByRole('table', { name: 'Audit entries' });
const row = (text: string) => table().getByRole('row').filter({ hasText: text });

test('the log describes who changed and who read what', async () => {
  await row('created the secret').getByText('editor@example.com').filter({ visible: true }).waitFor();
  await row('read one secret tagged llm').getByRole('link', { name: 'first run' }).waitFor();
  await row('pointed the label production to 1.0.0').getByRole('link', { name: 'greeting' }).waitFor();
});

test('filters are part of the URL and are combined', async () => {
  await page.getByRole('searchbox', { name: /^Who/ }).fill('editor@');
  await page.waitForURL(/actor=editor/);
  await row('pointed the label').waitFor({ state: 'detached' });
  await row('created the secret').waitFor();
  expect(await table().locator('tbody tr').count()).toBe(1);
  await show(page, '/audit?kind=read&subject=NOTED');
  await row('read one secret').waitFor();
  expect(await table().locator('tbody tr').count()).toBe(1);
  await show(page, '/audit?actor=nobody');
  await page.getByRole('heading', { name: 'No matching entries' }).waitFor();
  await page.getByRole('link', { name: 'Show all of the last 30 days' }).click();
  await row('created the secret').first().waitFor();
});

test('an entry expands to all its details, which never include a value', async () => {
  await page.getByRole('button', { name: 'Details of secret.create of NOTED' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('secret.create').waitFor();
  expect(await page.content()).not.toContain('MARKED');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('the file contains every matching entry', async () => {
  await show(page, '/audit?kind=read');
  await row('read one secret').first().waitFor();
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const lines = readFileSync(await (await started).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('time,kind,actor,actorId,action,subject,name,details,requestId');
  expect(lines.join()).toContain('NOTED');
});

test('no console errors and no violations of the security policy', () => {
  expect(viewer.problems).toEqual([]);
});
