import type { Page } from 'playwright-core';
import { revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { ask } from '../../support/admin.ts';
import { show, type Visit, visit } from '../../support/browser/browser.ts';
import { keptIn, violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { storeSecret } from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';

const TEXT = `# the shop
DATABASE_URL=postgres://shop@db/shop
export TOKEN="MARKED # and
a second line"
this is no assignment
LD_PRELOAD=/tmp/x.so`;

let editor: Visit;
let page: Page;

openSite({ sample: true });

beforeAll(async () => {
  await instance.post('/api/vault/get-secrets', {});
  const billing = await instance.newKey({ name: 'billing' });
  await instance.post('/api/vault/get-secrets', { key: 'DATABASE_URL' }, billing.apiKey);
  const former = await instance.newKey({ name: 'former' });
  await instance.post('/api/vault/get-secrets', {}, former.apiKey);
  await revokeApiKey(instance.table, changeAt(), former.keyId);
  await instance.settled();
  editor = await visit(browser, instance, { groups: ['editor'], path: '/secrets/import' });
  page = editor.page;
});

const released = async () => (await instance.post('/api/vault/get-secrets', {})).json.res;
const text = () => page.getByRole('textbox', { name: 'The .env text' });
const preview = () => page.getByRole('table', { name: 'What each line does' });
const lines = () => preview().locator('tbody tr').allInnerTexts();
const importButton = () => page.getByRole('button', { name: /^Import/ });

test('a failed preview can be retried', async () => {
  const previews = '**/api/admin/secrets/import';
  await page.route(previews, (route) => route.fulfill({ status: 429, body: '{}' }));
  await text().fill('TOKEN=x');
  await page.getByRole('alert').getByText('Too many requests').waitFor();
  await page.unroute(previews);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('This text contains 1 new secret.').waitFor();
});

test('the preview shows for each line who reads what it overwrites, and whether it is new, an update or an error', async () => {
  await text().fill(TEXT);
  await page.getByText('2 new secrets, 1 new value, 1 line to fix').waitFor();
  await preview().getByText('read by billing, ').waitFor();
  expect((await lines()).map((line) => line.replaceAll(/\s+/g, ' ').trim())).toEqual([
    '5 This line is not of the form KEY=value. invalid',
    expect.stringMatching(/^2 DATABASE_URL read by billing, (?!.*former).+ overwrite$/),
    '3 TOKEN new',
    '6 LD_PRELOAD new',
  ]);
  await preview()
    .getByRole('img', { name: /LD_PRELOAD changes which code/ })
    .waitFor();
  expect(await preview().textContent()).not.toContain('MARKED');
  expect(await importButton().isDisabled()).toBe(true);
});

test('a preview of other tags is not taken for the current one', async () => {
  const before = await text().inputValue();
  await text().fill('TOKEN=x');
  await page.getByRole('button', { name: 'Import 1' }).waitFor();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const previews = '**/api/admin/secrets/import';
  await page.route(previews, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('combobox', { name: 'Tags for all of them' }).fill('llm');
  await page.keyboard.press('Enter');
  await page.getByText('Reading the text…').waitFor();
  expect(await importButton().isDisabled()).toBe(true);
  answer();
  await page.getByRole('button', { name: 'Import 1' }).waitFor();
  await page.unroute(previews);
  await page.getByRole('combobox', { name: 'Tags for all of them' }).press('Backspace');
  await text().fill(before);
  await page.getByText('2 new secrets, 1 new value, 1 line to fix').waitFor();
});

test('leaving with unsaved text asks for confirmation', async () => {
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  expect(await text().inputValue()).toBe(TEXT);
});

test('a line number leads to its line; the corrected text is imported as a whole, with a tag typed but not entered', async () => {
  await preview().getByRole('button', { name: 'Go to line 5' }).click();
  await page.keyboard.type('MENDED=yes');
  await page.getByText('3 new secrets, 1 new value').waitFor();
  await importButton().click();
  await page.getByText('Only an administrator creates a secret named "LD_PRELOAD"').waitFor();
  await text().fill((await text().inputValue()).replace('LD_PRELOAD', 'LIBRARY_FILE'));
  await page.getByText('This text contains 3 new secrets, 1 new value').waitFor();
  await page.getByRole('combobox', { name: 'Tags for all of them' }).fill('shop');
  await importButton().click();
  await page.waitForURL(`${instance.url}/secrets`);
  await page.getByText('Imported: 3 new secrets, 1 new value.').waitFor();
  expect(await released()).toMatchObject({
    DATABASE_URL: 'postgres://shop@db/shop',
    TOKEN: 'MARKED # and\na second line',
    MENDED: 'yes',
    LIBRARY_FILE: '/tmp/x.so',
  });
  expect((await instance.post('/api/vault/get-secrets', { tags: ['shop'] })).json.res).toHaveProperty(
    'MENDED',
  );
});

test('a line can be skipped, one by one, all that exist, or all with errors', async () => {
  await page.getByRole('link', { name: 'Import .env' }).click();
  await text().fill('/* no comment\nTOKEN=overwritten\nMENDED=overwritten\nADDED=$2b$10$new');
  await page.getByText('1 new secret, 2 new values, 1 line to fix').waitFor();
  await preview().getByText('The value is kept as written: some readers expand $NAME.').waitFor();
  await page.getByRole('button', { name: 'Skip the lines to fix' }).click();
  await page.getByRole('button', { name: 'Import 3', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Skip those that exist' }).click();
  await page.getByText('This text contains 1 new secret, 1 line to fix.').waitFor();
  await page.getByLabel('Import MENDED').check();
  await page.getByText('1 new secret, 1 new value, 1 line to fix').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Import 2', exact: true }).click();
  await page.waitForURL(`${instance.url}/secrets`);
  expect(await released()).toMatchObject({
    TOKEN: 'MARKED # and\na second line',
    MENDED: 'overwritten',
    ADDED: '$2b$10$new',
  });
});

test('several secrets can be tagged, copied and deleted at once', async () => {
  await page.getByRole('checkbox', { name: 'Select ADDED' }).check();
  await page.getByRole('checkbox', { name: 'Select MENDED' }).check();
  const bar = page.getByRole('group', { name: 'Selected secrets' });
  await bar.getByText('2 secrets selected').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await bar.getByRole('button', { name: 'Add tags' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('prod');
  await dialog.getByRole('combobox', { name: 'Tags' }).press('Enter');
  await dialog.getByText('2 secrets of 2 will change').waitFor();
  // The second is refused once: the first is changed, and only the second stays selected.
  let calls = 0;
  await page.route(/secrets\/\w+\?confirm/, (route) => {
    calls += 1;
    if (calls !== 2) return route.continue();
    const headers = { 'cuevault-error': 'changed_meanwhile' };
    return route.fulfill({ status: 409, headers, json: { err: 'Its tags have changed.', res: null } });
  });
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const result = '1 of 2 secrets is done. Unchanged and still selected: MENDED. Its tags have changed.';
  await dialog.getByRole('alert').getByText(result).waitFor();
  await dialog.getByText('1 secret of 1 will change').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Select ADDED' }).check();
  const tagged = async () =>
    Object.keys((await instance.post('/api/vault/get-secrets', { tags: ['prod'] })).json.res);
  expect((await tagged()).sort()).toEqual(['ADDED', 'MENDED']);
  await page.getByRole('row').filter({ hasText: 'ADDED' }).getByText('prod').waitFor();
  await page.getByRole('checkbox', { name: 'Select MENDED' }).uncheck();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await dialog
    .getByText('Not read in the last 7 days.')
    .or(dialog.getByText('Read in the last 7 days:'))
    .waitFor();
  await dialog.getByLabel(/Type .* to confirm/).fill('delete 1 secret');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await tagged()).toEqual(['MENDED']);
  await bar.waitFor({ state: 'detached' });
});

test('of several selected secrets, one that a colleague has deleted is named, and the others can be saved', async () => {
  const gone = await storeSecret(instance, { key: 'GONE_PAIR' });
  const kept = await storeSecret(instance, { key: 'KEPT_PAIR' });
  await show(page, '/secrets?q=PAIR');
  await page.getByRole('checkbox', { name: 'Select GONE_PAIR' }).check();
  await page.getByRole('checkbox', { name: 'Select KEPT_PAIR' }).check();
  await page.getByRole('button', { name: 'Add tags' }).click();
  await ask('secrets-delete', { secretId: gone.secretId });
  const params = { secretId: kept.secretId };
  await ask('secrets-update', { ...params, confirm: 'true', tags: ['theirs'] });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('mine');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('alert').getByText('0 of 2 secrets are done.').waitFor();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const left = '1 of 2 secrets is done. Unchanged and still selected: GONE_PAIR. Someone has deleted this';
  await dialog.getByRole('alert').getByText(left).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await ask('secrets-get', params)).secret.tags).toEqual(['theirs', 'mine']);
});

test('a dropped text file is read, a binary file is rejected', async () => {
  await page.getByRole('link', { name: 'Import .env' }).click();
  const drop = async (script: string) => {
    const dataTransfer = await page.evaluateHandle(
      `(() => { const carried = new DataTransfer(); carried.items.add(new File(${script}, '.env')); return carried; })()`,
    );
    await text().dispatchEvent('drop', { dataTransfer });
  };
  await drop("['DROPPED=here']");
  await preview().getByText('DROPPED').waitFor();
  await drop('[new Uint8Array([0xff, 0xfe, 0x00])]');
  await page.getByText('.env is not a text in UTF-8.').waitFor();
  expect(await text().inputValue()).toBe('DROPPED=here');
});

test('no value is kept in the browser', async () => {
  expect((await keptIn(page)).includes('MARKED')).toBe(false);
  expect(instance.logs.join('')).not.toContain('MARKED');
});

test('an administrator undoes an import, unless something else has changed since', async () => {
  const admin = await visit(browser, instance, { path: '/secrets/import' });
  page = admin.page;
  const before = await released();
  const importText = async (line: string) => {
    await show(page, '/secrets/import');
    await text().fill(line);
    await page.getByText('This text contains 1 new').waitFor();
    await importButton().click();
    await page.getByText('Imported: 1 new').last().waitFor();
  };
  const undo = () => page.getByRole('alert').getByRole('button', { name: 'Undo' }).last().click();
  await importText('TOKEN=other');
  await undo();
  await page.getByText('The secrets are as before the import.').waitFor();
  expect(await released()).toEqual(before);
  await importText('LATE=x');
  await ask('secrets-create', { key: 'ANOTHER', value: 'x' });
  await undo();
  await page.getByText('Secrets have changed in the meantime').waitFor();
  expect(await released()).toMatchObject({ LATE: 'x', ANOTHER: 'x' });
  await admin.close();
});
