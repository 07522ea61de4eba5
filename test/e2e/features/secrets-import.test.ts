import { revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { ask } from '../../support/admin.ts';
import { keptIn } from '../../support/browser/screen-checks.ts';
import {
  accessible,
  appears,
  arrive,
  byRole,
  confirm,
  dialog,
  disabled,
  exactly,
  follow,
  gone,
  hotkey,
  instance,
  openSite,
  page,
  press,
  rowWith,
  see,
  show,
  tick,
} from '../../support/browser/site.ts';
import { storeSecret } from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';

const TEXT = `# the shop
DATABASE_URL=postgres://shop@db/shop
export TOKEN="MARKED # and
a second line"
this is no assignment
LD_PRELOAD=/tmp/x.so`;

openSite({ sample: true });

beforeAll(async () => {
  await instance.post('/api/vault/get-secrets', {});
  const billing = await instance.newKey({ name: 'billing' });
  await instance.post('/api/vault/get-secrets', { key: 'DATABASE_URL' }, billing.apiKey);
  const former = await instance.newKey({ name: 'former' });
  await instance.post('/api/vault/get-secrets', {}, former.apiKey);
  await revokeApiKey(instance.table, changeAt(), former.keyId);
  await instance.settled();
  await arrive({ groups: ['editor'], path: '/secrets/import' });
});

const released = async () => (await instance.post('/api/vault/get-secrets', {})).json.res;
const text = () => byRole('textbox', 'The .env text');
const preview = () => byRole('table', 'What each line does');
const lines = () => preview().locator('tbody tr').allInnerTexts();
const importButton = () => byRole('button', /^Import/);

test('a failed preview can be retried', async () => {
  const previews = '**/api/admin/secrets/import';
  await page.route(previews, (route) => route.fulfill({ status: 429, body: '{}' }));
  await text().fill('TOKEN=x');
  await see('Too many requests', byRole('alert'));
  await page.unroute(previews);
  await press('Try again');
  await see('This text contains 1 new secret.');
});

test('the preview shows for each line who reads what it overwrites, and whether it is new, an update or an error', async () => {
  await text().fill(TEXT);
  await see('2 new secrets, 1 new value, 1 line to fix');
  await see('read by billing, ', preview());
  expect((await lines()).map((line) => line.replaceAll(/\s+/g, ' ').trim())).toEqual([
    '5 This line is not of the form KEY=value. invalid',
    expect.stringMatching(/^2 DATABASE_URL read by billing, (?!.*former).+ overwrite$/),
    '3 TOKEN new',
    '6 LD_PRELOAD new',
  ]);
  await appears('img', /LD_PRELOAD changes which code/, preview());
  expect(await preview().textContent()).not.toContain('MARKED');
  await disabled(importButton());
});

test('a preview of other tags is not taken for the current one', async () => {
  const before = await text().inputValue();
  await text().fill('TOKEN=x');
  await appears('button', 'Import 1');
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const previews = '**/api/admin/secrets/import';
  await page.route(previews, async (route) => {
    await held;
    await route.continue();
  });
  await byRole('combobox', 'Tags for all of them').fill('llm');
  await hotkey('Enter');
  await see('Reading the text…');
  await disabled(importButton());
  answer();
  await appears('button', 'Import 1');
  await page.unroute(previews);
  await byRole('combobox', 'Tags for all of them').press('Backspace');
  await text().fill(before);
  await see('2 new secrets, 1 new value, 1 line to fix');
});

test('leaving with unsaved text asks for confirmation', async () => {
  await follow('Audit');
  await press('Stay', dialog());
  expect(await text().inputValue()).toBe(TEXT);
});

test('a line number leads to its line; the corrected text is imported as a whole, with a tag typed but not entered', async () => {
  await press('Go to line 5', preview());
  await page.keyboard.type('MENDED=yes');
  await see('3 new secrets, 1 new value');
  await importButton().click();
  await see('Only an administrator creates a secret named "LD_PRELOAD"');
  await text().fill((await text().inputValue()).replace('LD_PRELOAD', 'LIBRARY_FILE'));
  await see('This text contains 3 new secrets, 1 new value');
  await byRole('combobox', 'Tags for all of them').fill('shop');
  await importButton().click();
  await page.waitForURL(`${instance.url}/secrets`);
  await see('Imported: 3 new secrets, 1 new value.');
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
  await follow('Import .env');
  await text().fill('/* no comment\nTOKEN=overwritten\nMENDED=overwritten\nADDED=$2b$10$new');
  await see('1 new secret, 2 new values, 1 line to fix');
  await see('The value is kept as written: some readers expand $NAME.', preview());
  await press('Skip the lines to fix');
  await exactly('button', 'Import 3').waitFor();
  await press('Skip those that exist');
  await see('This text contains 1 new secret, 1 line to fix.');
  await tick('Import MENDED');
  await see('1 new secret, 1 new value, 1 line to fix');
  await exactly('button', 'Import 2').click();
  await page.waitForURL(`${instance.url}/secrets`);
  expect(await released()).toMatchObject({
    TOKEN: 'MARKED # and\na second line',
    MENDED: 'overwritten',
    ADDED: '$2b$10$new',
  });
});

test('several secrets can be tagged, copied and deleted at once', async () => {
  await tick('Select ADDED');
  await tick('Select MENDED');
  const bar = byRole('group', 'Selected secrets');
  await see('2 secrets selected', bar);
  await accessible();
  await press('Add tags', bar);
  await byRole('combobox', 'Tags', dialog()).fill('prod');
  await byRole('combobox', 'Tags', dialog()).press('Enter');
  await see('2 secrets of 2 will change', dialog());
  // The second is refused once: the first is changed, and only the second stays selected.
  let calls = 0;
  await page.route(/secrets\/\w+\?confirm/, (route) => {
    calls += 1;
    if (calls !== 2) return route.continue();
    const headers = { 'cuevault-error': 'changed_meanwhile' };
    return route.fulfill({ status: 409, headers, json: { err: 'Its tags have changed.', res: null } });
  });
  await exactly('button', 'Add', dialog()).click();
  const result = '1 of 2 secrets is done. Unchanged and still selected: MENDED. Its tags have changed.';
  await see(result, dialog().getByRole('alert'));
  await see('1 secret of 1 will change', dialog());
  await exactly('button', 'Add', dialog()).click();
  await gone(dialog());
  await tick('Select ADDED');
  const tagged = async () =>
    Object.keys((await instance.post('/api/vault/get-secrets', { tags: ['prod'] })).json.res);
  expect((await tagged()).sort()).toEqual(['ADDED', 'MENDED']);
  await see('prod', rowWith('ADDED'));
  await byRole('checkbox', 'Select MENDED').uncheck();
  await press('Delete', bar);
  await dialog()
    .getByText('Not read in the last 7 days.')
    .or(dialog().getByText('Read in the last 7 days:'))
    .waitFor();
  await confirm('delete 1 secret', dialog());
  await press('Delete', dialog());
  await gone(dialog());
  expect(await tagged()).toEqual(['MENDED']);
  await gone(bar);
});

test('of several selected secrets, one that a colleague has deleted is named, and the others can be saved', async () => {
  const gone = await storeSecret({ key: 'GONE_PAIR' });
  const kept = await storeSecret({ key: 'KEPT_PAIR' });
  await show('/secrets?q=PAIR');
  await tick('Select GONE_PAIR');
  await tick('Select KEPT_PAIR');
  await press('Add tags');
  await ask('secrets-delete', { secretId: gone.secretId });
  const params = { secretId: kept.secretId };
  await ask('secrets-update', { ...params, confirm: 'true', tags: ['theirs'] });
  await byRole('combobox', 'Tags', dialog()).fill('mine');
  await hotkey('Enter');
  await exactly('button', 'Add', dialog()).click();
  await see('0 of 2 secrets are done.', dialog().getByRole('alert'));
  await exactly('button', 'Add', dialog()).click();
  const left = '1 of 2 secrets is done. Unchanged and still selected: GONE_PAIR. Someone has deleted this';
  await see(left, dialog().getByRole('alert'));
  await press('Cancel', dialog());
  expect((await ask('secrets-get', params)).secret.tags).toEqual(['theirs', 'mine']);
});

test('a dropped text file is read, a binary file is rejected', async () => {
  await follow('Import .env');
  const drop = async (script: string) => {
    const dataTransfer = await page.evaluateHandle(
      `(() => { const carried = new DataTransfer(); carried.items.add(new File(${script}, '.env')); return carried; })()`,
    );
    await text().dispatchEvent('drop', { dataTransfer });
  };
  await drop("['DROPPED=here']");
  await see('DROPPED', preview());
  await drop('[new Uint8Array([0xff, 0xfe, 0x00])]');
  await see('.env is not a text in UTF-8.');
  expect(await text().inputValue()).toBe('DROPPED=here');
});

test('no value is kept in the browser', async () => {
  expect((await keptIn(page)).includes('MARKED')).toBe(false);
  expect(instance.logs.join('')).not.toContain('MARKED');
});

test('an administrator undoes an import, unless something else has changed since', async () => {
  await arrive({ path: '/secrets/import' });
  const before = await released();
  const importText = async (line: string) => {
    await show('/secrets/import');
    await text().fill(line);
    await see('This text contains 1 new');
    await importButton().click();
    await page.getByText('Imported: 1 new').last().waitFor();
  };
  const undo = () => byRole('alert').getByRole('button', { name: 'Undo' }).last().click();
  await importText('TOKEN=other');
  await undo();
  await see('The secrets are as before the import.');
  expect(await released()).toEqual(before);
  await importText('LATE=x');
  await ask('secrets-create', { key: 'ANOTHER', value: 'x' });
  await undo();
  await see('Secrets have changed in the meantime');
  expect(await released()).toMatchObject({ LATE: 'x', ANOTHER: 'x' });
});
