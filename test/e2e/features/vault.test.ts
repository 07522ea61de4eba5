import { ask } from '../../support/admin.ts';
import { cutCells, violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import {
  absent,
  arrive,
  byRole,
  dialog,
  disabled,
  exactly,
  gone,
  hotkey,
  instance,
  openSite,
  page,
  press,
  see,
  show,
  tick,
} from '../../support/browser/site.ts';
import { released, SECRET_MARKER, storeSecret } from '../../support/rows/secrets.ts';

openSite();

const button = (name: string) => page.getByRole('button', { name, exact: true });

const chooseTag = async (tag: string) => {
  await button('Edit the tags').click();
  await exactly('combobox', 'Tags', dialog()).fill(tag);
  await hotkey('Enter');
  await see('gain access: reporting', dialog());
};

test('new readers are shown before tags are saved, and only an administrator can confirm them, or change the vault', async () => {
  await instance.newKey({ tags: ['shared'], name: 'reporting' });
  const { secretId } = await storeSecret({ key: 'SHARED' });
  await arrive({ groups: ['editor'], path: `/secrets/${secretId}` });
  await chooseTag('shared');
  await see('API keys that can read this secret:', dialog());
  await disabled(byRole('button', 'Save', dialog()));
  await press('Cancel', dialog());
  await gone(dialog());
  await show('/vault');
  await see('Every value is encrypted to key pair no. 1.');
  for (const name of ['Stop serving secrets', 'Replace the key pair']) await absent(button(name));
  await arrive({ path: `/secrets/${secretId}` });
  await chooseTag('shared');
  await tick('Let them read it', dialog());
  await press('Save', dialog());
  await gone(dialog());
});

test('new readers are shown before tags are added to several secrets', async () => {
  await storeSecret({ key: 'SHARED_TOO' });
  await show('/secrets');
  await exactly('checkbox', 'Select SHARED').check();
  await tick('Select SHARED_TOO');
  await button('Add tags').click();
  await exactly('combobox', 'Tags', dialog()).fill('shared');
  await hotkey('Enter');
  await see('gain access: reporting', dialog());
  await disabled(exactly('button', 'Add', dialog()));
  await tick('Let them read it', dialog());
  await exactly('button', 'Add', dialog()).click();
  await gone(dialog());
});

test('a confirmation of new readers is for the import that was shown, not for what is typed afterwards', async () => {
  for (const key of ['FIRST', 'SECOND']) await storeSecret({ key });
  await show('/secrets/import');
  await byRole('textbox', 'The .env text').fill('FIRST=new');
  await byRole('combobox', 'Tags for all of them').fill('shared');
  await hotkey('Enter');
  const isReady = exactly('button', 'Import 1');
  await tick('Let them read it');
  await isReady.waitFor();
  await byRole('textbox', 'The .env text').fill('SECOND=new');
  await see('SECOND', byRole('table', 'What each line does'));
  await absent(isReady);
  await tick('Let them read it');
  await isReady.click();
  await see('Imported: 1 new value.');
});

test('an administrator stops serving secrets, restores an earlier revision, and starts serving them again', async () => {
  const { key } = await storeSecret({ key: 'TOO_MUCH' });
  await show('/vault');
  await button('Stop serving secrets').click();
  await disabled(byRole('button', 'Stop serving secrets', dialog()));
  await dialog().getByLabel('Why?').fill('The key ci leaked');
  await press('Stop serving secrets', dialog());
  const banner = page.getByRole('alert').filter({ hasText: 'The vault is stopped' });
  await see('admin@example.com: The key ci leaked', banner);
  expect((await instance.post('/api/vault/get-secrets', {})).code).toBe('vault_stopped');
  expect([await violationsInBothSchemes(page), await cutCells(page)]).toEqual([[], []]);
  const { revision } = (await ask('vault-get')).vault;
  await button(`Restore revision ${revision - 2}`).click();
  await see('1 secret will be deleted:', dialog());
  await storeSecret({ key: 'LATE' });
  await dialog()
    .getByLabel(/^Type \d+ to confirm/)
    .fill(String(revision - 2));
  await press('Restore', dialog());
  await see('Secrets have changed in the meantime', dialog().getByRole('alert'));
  await see('2 secrets will be deleted:', dialog());
  await press('Restore', dialog());
  await gone(dialog());
  await page.goto(instance.url);
  await banner.waitFor();
  for (const path of ['/', '/secrets', '/api-keys']) {
    await show(path);
    await see('secrets are not served', page.getByRole('main'));
  }
  await press('Resume', banner);
  await press('Resume', dialog());
  await gone(page.getByText('The vault is stopped'));
  expect(await released(key)).toBeUndefined();
});

test('an administrator replaces the key pair, and the screen shows the new one when every value is encrypted to it', async () => {
  const { key } = await storeSecret({ key: 'RESEALED' });
  const { keyVersion } = (await ask('vault-get')).vault;
  await show('/vault');
  await see(`Every value is encrypted to key pair no. ${keyVersion}.`);
  await button('Replace the key pair').click();
  expect([await violationsInBothSchemes(page), await cutCells(page)]).toEqual([[], []]);
  await press('Replace', dialog());
  await see(`Every value is encrypted to key pair no. ${keyVersion + 1}.`);
  await button('Replace the key pair').click();
  await press('Replace', dialog());
  await see('less than 10 minutes ago', dialog());
  expect(await released(key)).toContain(SECRET_MARKER);
});
