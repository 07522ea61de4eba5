import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { show, visit } from '../../support/browser/browser.ts';
import { cutCells, violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

let page: Page;
let apiKey: string;

openSite();

const dialog = () => page.getByRole('dialog').filter({ visible: true });
const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true });
const valueIn = async (environment: string, key: string) =>
  (await instance.post('/api/vault/get-secrets', { environment, key }, apiKey)).json.res?.[key];

beforeAll(async () => {
  ({ apiKey } = await instance.newKey({ environments: ['*'] }));
  await ask('secrets-create', { key: 'DATABASE_URL', value: 'first', tags: ['db'] });
  ({ page } = await visit(browser, instance, { path: '/vault' }));
});

test('an administrator adds environments on the vault screen, and sees when they are ready', async () => {
  await button('Edit the environments').click();
  for (const name of ['production', 'staging']) {
    await dialog().getByLabel('Add an environment').fill(name);
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
  }
  await dialog().getByRole('button', { name: 'Move staging up' }).click();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'detached' });
  const row = page.getByRole('listitem').filter({ hasText: 'production' });
  await row.getByText('0 secrets').waitFor();
  await row.getByRole('link').click();
  await page.getByText('0 secrets · revision 1').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
});

const HEAD = 'Key default staging Critical: production';

/** The rows of the table, as a person hears them. */
const matrix = async () => {
  const table = page.getByRole('table', { name: 'Secrets by environment' });
  return (await table.ariaSnapshot()).match(/(?<=row ").*(?=")/g);
};

test('the table names what is missing where, never a value, and a missing secret is added by its cell', async () => {
  await show(page, '/secrets');
  await page.getByRole('link', { name: 'DATABASE_URL in default' }).filter({ visible: true }).waitFor();
  expect(await matrix()).toEqual([
    HEAD,
    'DATABASE_URL v1 just now : DATABASE_URL in default Missing: add DATABASE_URL to staging Missing: add DATABASE_URL to production',
  ]);
  const inButtons = () =>
    Promise.all(
      ['staging', 'production'].map((name) => button(`Missing: add DATABASE_URL to ${name}`).textContent()),
    );
  expect(await inButtons()).toEqual([' ', ' ']);
  await valueIn('default', 'DATABASE_URL');
  await instance.settled();
  await page.reload();
  await button('Missing: add DATABASE_URL to staging').getByText('missing').waitFor();
  expect(await inButtons()).toEqual([' missing', ' ']);
  await button('Missing: add DATABASE_URL to staging').click();
  expect(await dialog().getByRole('checkbox', { name: 'staging' }).isChecked()).toBe(true);
  await dialog().getByRole('checkbox', { name: 'production' }).check();
  await dialog().getByText('db', { exact: true }).waitFor();
  await dialog().getByRole('textbox', { name: 'Value', exact: true }).fill('MARKED-both');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'DATABASE_URL in production' }).filter({ visible: true }).waitFor();
  expect(await matrix()).toEqual([
    HEAD,
    'DATABASE_URL v1 just now : DATABASE_URL in default v1 just now : DATABASE_URL in staging v1 just now : DATABASE_URL in production',
  ]);
  const values = ['default', 'staging', 'production'].map((name) => valueIn(name, 'DATABASE_URL'));
  expect(await Promise.all(values)).toEqual(['first', 'MARKED-both', 'MARKED-both']);
  expect(await violationsInBothSchemes(page)).toEqual([]);
});

test('a new value is for the environment of the secret until others are chosen, and each outcome is named', async () => {
  await page.getByRole('link', { name: 'DATABASE_URL in production' }).filter({ visible: true }).click();
  await button('New value').click();
  const chosen = (name: string) => dialog().getByRole('checkbox', { name }).isChecked();
  await dialog().getByRole('checkbox', { name: 'staging' }).waitFor();
  await dialog().getByRole('textbox', { name: 'New value' }).fill('MARKED-second');
  expect([await chosen('staging'), await chosen('production')]).toEqual([false, true]);
  await dialog().getByRole('checkbox', { name: 'staging' }).check();
  const staging = await ask('secrets-list', { environment: 'staging' });
  const [{ secretId }] = staging.secrets;
  await page.route(`**/api/admin/secrets/${secretId}*`, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 409, json: { err: 'Changed there.', res: null } })
      : route.continue(),
  );
  await dialog().getByRole('button', { name: 'Save the value' }).click();
  await dialog().getByText('1 of 2 environments is done. Unchanged and still selected: staging.').waitFor();
  expect([await chosen('staging'), await chosen('production')]).toEqual([true, false]);
  await page.unroute(`**/api/admin/secrets/${secretId}*`);
  await dialog().getByRole('button', { name: 'Save the value' }).click();
  await dialog().waitFor({ state: 'detached' });
  const values = ['default', 'staging', 'production'].map((name) => valueIn(name, 'DATABASE_URL'));
  expect(await Promise.all(values)).toEqual(['first', 'MARKED-second', 'MARKED-second']);
});

test('an import says beside its button into which environment, and shows what it overwrites there', async () => {
  await show(page, '/secrets/import');
  await page.getByRole('textbox', { name: 'The .env text' }).fill('DATABASE_URL=MARKED-third\nONLY_HERE=1');
  await page.getByText('Choose the environment beside the button.').waitFor();
  await page.getByRole('combobox', { name: 'Environment' }).click();
  await page.getByRole('option', { name: 'staging' }).click();
  await page.getByRole('heading', { name: 'Preview for staging' }).waitFor();
  await page.getByText('1 new secret, 1 new value').waitFor();
  await button('Import 2 into staging').click();
  await page.getByRole('heading', { name: 'Secrets', exact: true }).waitFor();
  expect(await valueIn('staging', 'DATABASE_URL')).toBe('MARKED-third');
  expect(await valueIn('production', 'DATABASE_URL')).toBe('MARKED-second');
});

test('gaps come first, those probably forgotten before others, and on a phone each key lists its environments', async () => {
  await ask('secrets-create', { environment: 'staging', key: 'READ_HERE', value: '1' });
  await valueIn('staging', 'READ_HERE');
  await instance.settled();
  await page.setViewportSize({ width: 390, height: 844 });
  await show(page, '/secrets');
  await page.reload();
  await button('Missing: add READ_HERE to production').getByText('missing').waitFor();
  const rows = page.getByRole('table', { name: 'Secrets by environment' }).locator('tbody tr');
  expect((await rows.allInnerTexts()).map((text) => text.trim().split(/\s/)[0])).toEqual([
    'READ_HERE',
    'ONLY_HERE',
    'DATABASE_URL',
  ]);
  expect(await cutCells(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('what looks like a credential stays in the search, enters no address, and leads administrators to who has it', async () => {
  const key = 'STRIPE_KEY';
  const value = 'sk_live_MARKED00a1b2c3d4';
  await ask('secrets-create', { environment: 'production', key, value });
  expect(await valueIn('production', key)).toBe(value);
  await instance.settled();
  const addresses: string[] = [];
  page.on('request', (request) => void addresses.push(request.url()));
  page.on('framenavigated', (frame) => void addresses.push(frame.url()));
  const paste = async (field: string) => {
    await page
      .getByRole(field === 'Search keys and tags' ? 'searchbox' : 'combobox', { name: field })
      .fill(value);
    await page.getByRole('link', { name: 'Find who has this value' }).click();
    await page.getByRole('heading', { name: 'Who has this value?' }).waitFor();
    await button('Ask').click();
    await page.getByText(/^v1, /).waitFor();
    expect(await page.getByLabel('A value that has leaked').inputValue()).toBe('');
  };
  await show(page, '/secrets');
  await paste('Search keys and tags');
  await page.getByText('still has it').waitFor();
  const steps = page.getByRole('region', { name: key }).getByRole('button');
  expect(await steps.allInnerTexts()).toEqual([
    ...['Revoke test key', 'Stop serving secrets of production', 'New value'],
  ]);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await button('New value').click();
  await dialog().getByRole('textbox', { name: 'New value' }).fill('MARKED-fourth');
  await dialog().getByRole('button', { name: 'Save the value' }).click();
  await dialog().waitFor({ state: 'detached' });
  expect(await valueIn('production', key)).toBe('MARKED-fourth');
  await instance.settled();
  await page.keyboard.press('Control+k');
  await paste('Go to a screen, prompt, secret or API key');
  await page.getByText('has another value').waitFor();
  await page.getByRole('link', { name: key }).click();
  await button('Roll back to v1').click();
  await dialog().getByText(`Type ${key} to confirm`).waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  expect(addresses.join()).not.toContain('MARKED');
});

test('a banner names the environment whose secrets are not served', async () => {
  await ask('serving-set', { environment: 'staging', allowed: false, reason: 'Leak' });
  await page.reload();
  await page.getByRole('alert').getByText('The vault of staging is stopped').waitFor();
  await button('Resume of staging').click();
  await dialog().getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
});
