import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { listenOnLoopback } from '../../../local/loopback.ts';
import { ask } from '../../support/admin.ts';
import { show, type Visit, visit } from '../../support/browser/browser.ts';
import { cutCells, scrollsSideways, violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

let viewer: Visit;
let page: Page;

// The receiver of the webhook.
let answer = 500;
const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(answer).end();
});
const webhook = `http://${await listenOnLoopback(receiver)}/hook/token`;
afterAll(() => receiver.close());

openSite({ sample: true, webhook });

beforeAll(async () => {
  const body = { key: 'NOTED', value: 'MARKED', tags: [] };
  await ask('secrets-create', body, 'editor');
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
  await page.getByRole('link', { name: 'Show all entries of the last 30 days' }).click();
  await row('created the secret').first().waitFor();
});

test('changes of production in the last hour are one link away, and several actions are chosen at once', async () => {
  await show(page, '/audit');
  await page.getByRole('link', { name: 'Changes of production in the last hour' }).click();
  await page.waitForURL(/period=hour/);
  await row('created the secret').first().waitFor({ state: 'detached' });
  await row('pointed the label production to 1.0.0').first().waitFor();
  await show(page, '/audit?action=secret.create');
  await page.getByRole('combobox', { name: 'Actions' }).click();
  await page.getByRole('option', { name: 'all of label' }).click();
  await page.waitForURL(/action=secret.create%2Clabel/);
  await row('pointed the label').first().waitFor();
  await row('created the secret').first().waitFor();
  await show(page, '/audit');
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
  const lines = (await text(await (await started).createReadStream())).trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('id,time,kind,actor,actorId,action,sentence,subject,name,details,requestId');
  expect(lines.join()).toContain('NOTED');
});

test('the entry of a test event leads nowhere', async () => {
  await ask('notifications-test');
  await page.goto(`${instance.url}/audit?kind=change`);
  await row('sent a').getByText('test event').last().waitFor();
  expect(await row('sent a').getByRole('link').count()).toBe(0);
});

test('refused calls can be listed, and drafts are listed on request', async () => {
  const { apiKey } = await instance.newKey({ permissions: ['prompts'] });
  await instance.post('/api/vault/get-secrets', {}, apiKey);
  await page.goto(`${instance.url}/audit?kind=refusal`);
  await row('was refused in one or more calls: missing permission').waitFor();
  expect(await table().locator('tbody tr').count()).toBe(1);
  const { prompts } = await ask('prompts-list', { q: 'greeting' });
  const params = { promptId: prompts[0].promptId };
  await ask('drafts-save', { ...params, prompt: 'x' });
  await page.goto(`${instance.url}/audit?kind=change`);
  await row('created the secret').first().waitFor();
  expect(await row('saved a draft').count()).toBe(0);
  await page.getByLabel('Show drafts').check();
  await row('saved a draft').waitFor();
});

test('the link to an entry shows the entry, even if the list does not contain it', async () => {
  await page.goto(`${instance.url}/audit?kind=change&action=secret.create&subject=NOTED`);
  await page.getByRole('button', { name: 'Details of secret.create of NOTED' }).click();
  await page.waitForURL(/entry=/);
  const entry = new URL(page.url()).searchParams.get('entry') ?? '';
  await page.goto(`${instance.url}/audit?${new URLSearchParams({ entry, kind: 'read' })}`);
  const dialog = page.getByRole('dialog', { name: 'editor@example.com created the secret' });
  await dialog.getByText('NOTED').first().waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.searchParams.has('entry'));
  await page.goto(`${instance.url}/audit?entry=2026-01-01T00:00:00.000Z%23none`);
  await page.getByText('There is no such entry').waitFor();
});

test('days begin and end in the time zone of the operator, which is named', async () => {
  const zone = 'Pacific/Auckland';
  const { page: there, close } = await visit(browser, instance, { path: '/audit', timezoneId: zone });
  await there.getByText(`Days and times are in the time zone ${zone}`).waitFor();
  await there.getByRole('combobox', { name: 'Period' }).click();
  await there.getByRole('option', { name: 'Choose days…' }).click();
  const asked = there.waitForRequest((request) => /\/audit\?.*to=/.test(request.url()));
  await there.getByLabel('To', { exact: true }).fill('2026-07-15');
  expect(new URL((await asked).url()).searchParams.get('to')).toBe('2026-07-15T11:59:59.999Z');
  await there.setViewportSize({ width: 1200, height: 800 });
  const days = await Promise.all(
    ['From', 'To'].map((label) => there.getByLabel(label, { exact: true }).elementHandle()),
  );
  await there.waitForFunction(
    (shown) => new Set(shown.map((day) => day?.getBoundingClientRect().top)).size === 1,
    days,
  );
  await close();
});

test('the state of the seal is shown', async () => {
  await show(page, '/audit');
  await page
    .getByRole('region', { name: 'Seal' })
    .getByText(/is sealed|are sealed/)
    .waitFor();
});

test('a list that begins before the first read that is kept says where the others are', async () => {
  await page.goto(`${instance.url}/audit?period=days&from=2025-01-01`);
  await page.getByText('Earlier ones are in the sealed copy').waitFor();
  await page.goto(`${instance.url}/audit`);
  await page.getByRole('table', { name: 'Audit entries' }).waitFor();
  expect(await page.getByText('Earlier ones are in the sealed copy').count()).toBe(0);
});

test('administrators see what was sent to the webhook, without its path, and send it again or a test', async () => {
  expect(await page.getByRole('link', { name: 'Notifications' }).count()).toBe(0);
  await show(page, '/notifications');
  await page.getByRole('heading', { name: 'You do not have permission' }).waitFor();
  const admin = await visit(browser, instance, { path: '/audit' });
  await admin.page.getByRole('link', { name: 'Notifications' }).click();
  const again = admin.page.getByRole('button', { name: 'Send again: secret.create of NOTED' });
  const line = admin.page.getByRole('row').filter({ has: again });
  const status = line.getByRole('cell').nth(2);
  await status.getByText('failed').waitFor();
  await status.getByText('The receiver answered with 500.').waitFor();
  expect(await violationsInBothSchemes(admin.page)).toEqual([]);
  answer = 204;
  await admin.page.getByRole('button', { name: 'Send a test event' }).click();
  const test = { name: 'Send again: notification.test of test event' };
  const sent = admin.page.getByRole('row').filter({ has: admin.page.getByRole('button', test) });
  await sent.getByText('delivered').filter({ visible: true }).waitFor();
  await again.click();
  await status.getByText('delivered').waitFor();
  await line.getByRole('cell', { name: '5', exact: true }).waitFor();
  expect(await admin.page.content()).not.toContain('hook/token');
  await admin.page.setViewportSize({ width: 360, height: 800 });
  expect(await scrollsSideways(admin.page)).toBe(false);
  expect(await cutCells(admin.page)).toEqual([]);
  await admin.close();
});
