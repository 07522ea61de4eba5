import { show, visit } from '../support/browser/browser.ts';
import { browser, instance, openSite } from '../support/browser/site.ts';
import { ownInstance } from '../support/shared/instance.ts';

openSite({ sample: true });

beforeAll(async () => {
  for (let i = 0; i < 3; i++) await instance.post('/api/prompt/get-compiled', { name: 'greeting' });
  await instance.post('/api/vault/get-secrets', {});
  await instance.settled();
});

test('the overview shows fetches, items to review and recent changes', async () => {
  const { page, problems, close } = await visit(browser, instance, { groups: ['viewer'], path: '/' });
  const panel = (name: string) => page.getByRole('region', { name });
  await panel('Most fetched prompts')
    .getByRole('listitem')
    .filter({ hasText: 'greeting' })
    .getByText('3')
    .waitFor();
  await panel('Most fetched versions').getByText('1.1.0').waitFor();
  await panel('Fetches per day').getByRole('table').waitFor({ state: 'attached' });
  expect(await panel('Fetches per day').getByRole('row').last().textContent()).toMatch(/31$/);
  await panel('Last changes').getByText('pointed the label production to 1.0.0').waitFor();
  await panel('Most fetched prompts').getByRole('link', { name: '3 fetches of greeting' }).click();
  await page.waitForURL(/prompts\/prm_\w+\/usage\?from=\d{4}-\d\d-\d\d$/);
  for (const [name, url] of [
    [/^\d+ active API key/, /api-keys\?status=active/],
    [/^3 prompt fetches today/, /prompts\?fetched=yes/],
    [/^1 read of secrets today/, /audit\?kind=read&period=today/],
  ] as const) {
    await show(page, '/');
    await page.getByRole('link', { name }).click();
    await page.waitForURL(url);
  }
  expect(problems).toEqual([]);
  await close();
});

test('an empty overview says what to do first', async () => {
  const empty = await ownInstance();
  const { page, close } = await visit(browser, empty, { path: '/' });
  await page.getByRole('heading', { name: 'Get started' }).waitFor();
  await page.getByRole('link', { name: 'Import a .env file' }).click();
  await page.getByRole('textbox', { name: 'The .env text' }).waitFor();
  await close();
  await empty.stop();
});
