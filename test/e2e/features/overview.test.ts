import { show, visit } from '../../support/browser/browser.ts';
import { smallTargets, violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { ownInstance } from '../../support/shared/instance.ts';

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

test('an empty overview leads to the first call, with samples that can be removed', async () => {
  const empty = await ownInstance();
  const { page, problems, close } = await visit(browser, empty, { path: '/' });
  const steps = page.getByRole('region', { name: 'Get started' });
  const step = (text: string) => steps.getByRole('listitem').filter({ hasText: text });
  await step('Write a prompt').getByRole('img', { name: 'To do' }).waitFor();
  await step('Create an API key').getByRole('img', { name: 'To do' }).waitFor();
  await steps.getByRole('button', { name: 'Add the samples' }).click();
  await step('Write a prompt').getByRole('img', { name: 'Done' }).waitFor();
  await step('Make the first call').getByText('"name": "greeting"').waitFor();
  await steps.getByRole('textbox', { name: 'Name of the application' }).fill('shop');
  await steps.getByRole('button', { name: 'Create a key that can fetch prompts' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new API key' });
  await shown.getByText('"user": "…"').waitFor();
  await shown.getByRole('button', { name: 'Copy the key', exact: true }).click();
  await shown.getByRole('button', { name: 'Done' }).click();
  await step('Create an API key').getByRole('img', { name: 'Done' }).waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  await empty.post('/api/prompt/get-compiled', { name: 'greeting', label: 'production' });
  await empty.settled();
  await page.reload();
  await page.getByRole('region', { name: 'Last changes' }).waitFor();
  expect(await steps.count()).toBe(0);
  await page.getByRole('button', { name: 'Remove the samples' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/greeting, support-reply, .*OPENAI_API_KEY/).waitFor();
  await dialog.getByLabel(/Type .* to confirm/).fill('remove the samples');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByLabel('Delete anyway: I know that it is in use.').check();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('region', { name: 'Samples' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /^0 prompts/ }).waitFor();
  expect(problems).toEqual([]);
  await close();
  await empty.stop();
});
