import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { show, visit } from '../../support/browser/browser.ts';
import { cutCells, violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { released, SECRET_MARKER, storeSecret } from '../../support/rows/secrets.ts';

let page: Page;

openSite();

const dialog = () => page.getByRole('dialog').filter({ visible: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const as = async (group: string, path: string) => {
  ({ page } = await visit(browser, instance, { groups: [group], path }));
};

const chooseTag = async (tag: string) => {
  await button('Edit the tags').click();
  await dialog().getByRole('combobox', { name: 'Tags', exact: true }).fill(tag);
  await page.keyboard.press('Enter');
  await dialog().getByText('gain access: reporting').waitFor();
};

test('new readers are shown before tags are saved, and only an administrator can confirm them', async () => {
  await instance.newKey({ tags: ['shared'], name: 'reporting' });
  const { secretId } = await storeSecret(instance, { key: 'SHARED' });
  await as('editor', `/secrets/${secretId}`);
  await chooseTag('shared');
  await dialog().getByText('API keys that can read this secret:').waitFor();
  expect(await dialog().getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await as('admin', `/secrets/${secretId}`);
  await chooseTag('shared');
  await dialog().getByLabel('Let them read it').check();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'detached' });
});

test('new readers are shown before tags are added to several secrets', async () => {
  await storeSecret(instance, { key: 'SHARED_TOO' });
  await show(page, '/secrets');
  await page.getByRole('checkbox', { name: 'Select SHARED', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Select SHARED_TOO' }).check();
  await button('Add tags').click();
  await dialog().getByRole('combobox', { name: 'Tags', exact: true }).fill('shared');
  await page.keyboard.press('Enter');
  await dialog().getByText('gain access: reporting').waitFor();
  expect(await dialog().getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
  await dialog().getByLabel('Let them read it').check();
  await dialog().getByRole('button', { name: 'Add', exact: true }).click();
  await dialog().waitFor({ state: 'detached' });
});

test('an administrator stops serving secrets, restores an earlier revision, and starts serving them again', async () => {
  const { key } = await storeSecret(instance, { key: 'TOO_MUCH' });
  await as('admin', '/vault');
  await button('Stop serving secrets').click();
  expect(await dialog().getByRole('button', { name: 'Stop serving secrets' }).isDisabled()).toBe(true);
  await dialog().getByLabel('Why?').fill('The key ci leaked');
  await dialog().getByRole('button', { name: 'Stop serving secrets' }).click();
  const banner = page.getByRole('alert').filter({ hasText: 'The vault is stopped' });
  await banner.getByText('admin@example.com: The key ci leaked').waitFor();
  expect((await instance.post('/api/vault/get-secrets', {})).code).toBe('vault_stopped');
  expect([await violationsInBothSchemes(page), await cutCells(page)]).toEqual([[], []]);
  const { revision } = (await ask('vault-get')).vault;
  await button(`Restore revision ${revision - 2}`).click();
  await dialog().getByText('1 secret will be deleted:').waitFor();
  await storeSecret(instance, { key: 'LATE' });
  expect(await dialog().getByRole('button', { name: 'Restore' }).isDisabled()).toBe(true);
  await dialog()
    .getByLabel(/^Type \d+ to confirm/)
    .fill(String(revision - 2));
  await dialog().getByRole('button', { name: 'Restore' }).click();
  await dialog().getByRole('alert').getByText('Secrets have changed in the meantime').waitFor();
  await dialog().getByText('2 secrets will be deleted:').waitFor();
  await dialog().getByRole('button', { name: 'Restore' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.goto(instance.url);
  await banner.waitFor();
  for (const path of ['/', '/secrets', '/api-keys']) {
    await show(page, path);
    await page.getByRole('main').getByText('secrets are not served').waitFor();
  }
  await banner.getByRole('button', { name: 'Resume' }).click();
  await dialog().getByRole('button', { name: 'Resume' }).click();
  await page.getByText('The vault is stopped').waitFor({ state: 'detached' });
  expect(await released(instance, key)).toBeUndefined();
});

test('an administrator replaces the key pair, and the screen shows the new one when every value is encrypted to it', async () => {
  const { key } = await storeSecret(instance, { key: 'RESEALED' });
  const { keyVersion } = (await ask('vault-get')).vault;
  await as('viewer', '/vault');
  await page.getByText(`Every value is encrypted to key pair no. ${keyVersion}.`).waitFor();
  expect(await button('Replace the key pair').count()).toBe(0);
  await as('admin', '/vault');
  await button('Replace the key pair').click();
  expect([await violationsInBothSchemes(page), await cutCells(page)]).toEqual([[], []]);
  await dialog().getByRole('button', { name: 'Replace' }).click();
  await page.getByText(`Every value is encrypted to key pair no. ${keyVersion + 1}.`).waitFor();
  await button('Replace the key pair').click();
  await dialog().getByRole('button', { name: 'Replace' }).click();
  await dialog().getByText('less than 10 minutes ago').waitFor();
  expect(await released(instance, key)).toContain(SECRET_MARKER);
});
