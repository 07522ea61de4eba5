import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '../../../local/loopback.ts';
import { ask } from '../../support/admin.ts';
import { cutCells, scrollsSideways } from '../../support/browser/screen-checks.ts';
import {
  absent,
  accessible,
  appears,
  arrive,
  byRole,
  choose,
  dialog,
  follow,
  gone,
  headed,
  hotkey,
  instance,
  openSite,
  page,
  press,
  rowWith,
  see,
  show,
  signedIn,
  tick,
} from '../../support/browser/site.ts';

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
  await arrive({ groups: ['viewer'], path: '/audit' });
});

const table = () => byRole('table', 'Audit entries');
const row = (text: string) => rowWith(text, table());

test('the log describes who changed and who read what', async () => {
  await row('created the secret').getByText('editor@example.com').filter({ visible: true }).waitFor();
  await byRole('link', 'first run', row('read one secret tagged llm')).waitFor();
  await byRole('link', 'greeting', row('pointed the label production to 1.0.0')).waitFor();
});

test('filters are part of the URL and are combined', async () => {
  await byRole('searchbox', /^Who/).fill('editor@');
  await page.waitForURL(/actor=editor/);
  await gone(row('pointed the label'));
  await row('created the secret').waitFor();
  expect(await table().locator('tbody tr').count()).toBe(1);
  await show('/audit?kind=read&subject=NOTED');
  await row('read one secret').waitFor();
  expect(await table().locator('tbody tr').count()).toBe(1);
  await show('/audit?actor=nobody');
  await headed('No matching entries');
  await follow('Show all entries of the last 30 days');
  await row('created the secret').first().waitFor();
});

test('changes of production in the last hour are one link away, and several actions are chosen at once', async () => {
  await show('/audit');
  await follow('Changes of production in the last hour');
  await page.waitForURL(/period=hour/);
  await gone(row('created the secret').first());
  await row('pointed the label production to 1.0.0').first().waitFor();
  await show('/audit?action=secret.create');
  await choose('Actions', 'all of label');
  await page.waitForURL(/action=secret.create%2Clabel/);
  await row('pointed the label').first().waitFor();
  await row('created the secret').first().waitFor();
  await show('/audit');
});

test('an entry expands to all its details, which never include a value', async () => {
  await press('Details of secret.create of NOTED');
  await see('secret.create', dialog());
  expect(await page.content()).not.toContain('MARKED');
  await hotkey('Escape');
  await gone(dialog());
});

test('the file contains every matching entry', async () => {
  await show('/audit?kind=read');
  await row('read one secret').first().waitFor();
  const started = page.waitForEvent('download');
  await press('CSV');
  const lines = (await text(await (await started).createReadStream())).trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('id,time,kind,actor,actorId,action,sentence,subject,name,details,requestId');
  expect(lines.join()).toContain('NOTED');
});

test('the entry of a test event leads nowhere', async () => {
  await ask('notifications-test');
  await show('/audit?kind=change');
  await row('sent a').getByText('test event').last().waitFor();
  await absent(row('sent a').getByRole('link'));
});

test('refused calls can be listed, and drafts are listed on request', async () => {
  const { apiKey } = await instance.newKey({ permissions: ['prompts'] });
  await instance.post('/api/vault/get-secrets', {}, apiKey);
  await show('/audit?kind=refusal');
  await row('was refused in one or more calls: missing permission').waitFor();
  expect(await table().locator('tbody tr').count()).toBe(1);
  const { prompts } = await ask('prompts-list', { q: 'greeting' });
  const params = { promptId: prompts[0].promptId };
  await ask('drafts-save', { ...params, prompt: 'x' });
  await show('/audit?kind=change');
  await row('created the secret').first().waitFor();
  await absent(row('saved a draft'));
  await tick('Show drafts');
  await row('saved a draft').waitFor();
});

test('the link to an entry shows the entry, even if the list does not contain it', async () => {
  await show('/audit?kind=change&action=secret.create&subject=NOTED');
  await press('Details of secret.create of NOTED');
  await page.waitForURL(/entry=/);
  const entry = new URL(page.url()).searchParams.get('entry') ?? '';
  await show(`/audit?${new URLSearchParams({ entry, kind: 'read' })}`);
  const dialog = byRole('dialog', 'editor@example.com created the secret');
  await dialog.getByText('NOTED').first().waitFor();
  await accessible();
  await hotkey('Escape');
  await page.waitForURL((url) => !url.searchParams.has('entry'));
  await show('/audit?entry=2026-01-01T00:00:00.000Z%23none');
  await see('There is no such entry');
});

test('days begin and end in the time zone of the operator, which is named', async () => {
  const zone = 'Pacific/Auckland';
  const { page: there, close } = await signedIn({ path: '/audit', timezoneId: zone });
  await see(`Days and times are in the time zone ${zone}`, there);
  await choose('Period', 'Choose days…', there);
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
  await show('/audit');
  await see(/is sealed|are sealed/, byRole('region', 'Seal'));
});

test('a list that begins before the first read that is kept says where the others are', async () => {
  await show('/audit?period=days&from=2025-01-01');
  await see('Earlier ones are in the sealed copy');
  await show('/audit');
  await appears('table', 'Audit entries');
  await absent(page.getByText('Earlier ones are in the sealed copy'));
});

test('administrators see what was sent to the webhook, without its path, and send it again or a test', async () => {
  await absent(byRole('link', 'Notifications'));
  await show('/notifications');
  await headed('You do not have permission');
  const admin = await signedIn({ path: '/audit' });
  await follow('Notifications', admin.page);
  const again = byRole('button', 'Send again: secret.create of NOTED', admin.page);
  const line = admin.page.getByRole('row').filter({ has: again });
  const status = line.getByRole('cell').nth(2);
  await see('failed', status);
  await accessible(admin.page);
  answer = 204;
  await press('Send a test event', admin.page);
  const test = { name: 'Send again: notification.test of test event' };
  const sent = admin.page.getByRole('row').filter({ has: admin.page.getByRole('button', test) });
  // The one of an earlier test may arrive meanwhile.
  await sent.first().getByText('delivered').filter({ visible: true }).waitFor();
  await again.click();
  await see('delivered', status);
  expect(await admin.page.content()).not.toContain('hook/token');
  await admin.page.setViewportSize({ width: 360, height: 800 });
  expect(await scrollsSideways(admin.page)).toBe(false);
  expect(await cutCells(admin.page)).toEqual([]);
  await admin.close();
});
