import { ask } from '../../support/admin.ts';
import { cutCells } from '../../support/browser/screen-checks.ts';
import {
  accessible,
  appears,
  arrive,
  byRole,
  choose,
  dialog,
  enter,
  exactly,
  follow,
  gone,
  headed,
  hotkey,
  instance,
  openSite,
  page,
  press,
  see,
  show,
  tick,
} from '../../support/browser/site.ts';

let apiKey: string;

openSite();

const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true });
const valueIn = async (environment: string, key: string) =>
  (await instance.post('/api/vault/get-secrets', { environment, key }, apiKey)).json.res?.[key];

beforeAll(async () => {
  ({ apiKey } = await instance.newKey({ environments: ['*'] }));
  await ask('secrets-create', { key: 'DATABASE_URL', value: 'first', tags: ['db'] });
  await arrive({ path: '/vault' });
});

test('an administrator adds environments on the vault screen, and sees when they are ready', async () => {
  await button('Edit the environments').click();
  for (const name of ['production', 'staging']) {
    await dialog().getByLabel('Add an environment').fill(name);
    await exactly('button', 'Add', dialog()).click();
  }
  await press('Move staging up', dialog());
  await press('Save', dialog());
  await gone(dialog());
  const row = byRole('listitem').filter({ hasText: 'production' });
  await see('0 secrets', row);
  await row.getByRole('link').click();
  await see('0 secrets · revision 1');
});

const HEAD = 'Key default staging Critical: production';

/** The rows of the table, as a person hears them. */
const matrix = async () => {
  const table = byRole('table', 'Secrets by environment');
  return (await table.ariaSnapshot()).match(/(?<=row ").*(?=")/g);
};

test('the table names what is missing where, never a value, and a missing secret is added by its cell', async () => {
  await show('/secrets');
  await byRole('link', 'DATABASE_URL in default').filter({ visible: true }).waitFor();
  expect(await matrix()).toEqual([
    HEAD,
    'DATABASE_URL v1 just now: DATABASE_URL in default Missing: add DATABASE_URL to staging Missing: add DATABASE_URL to production',
  ]);
  const inButtons = () =>
    Promise.all(
      ['staging', 'production'].map((name) => button(`Missing: add DATABASE_URL to ${name}`).textContent()),
    );
  expect(await inButtons()).toEqual(['+', '+']);
  await valueIn('default', 'DATABASE_URL');
  await instance.settled();
  await page.reload();
  await see('missing', button('Missing: add DATABASE_URL to staging'));
  expect(await inButtons()).toEqual(['+ missing', '+']);
  await button('Missing: add DATABASE_URL to staging').click();
  expect(await byRole('checkbox', 'staging', dialog()).isChecked()).toBe(true);
  await tick('production', dialog());
  await dialog().getByText('db', { exact: true }).waitFor();
  await exactly('textbox', 'Value', dialog()).fill('MARKED-both');
  await press('Save', dialog());
  await gone(dialog());
  await byRole('link', 'DATABASE_URL in production').filter({ visible: true }).waitFor();
  expect(await matrix()).toEqual([
    HEAD,
    'DATABASE_URL v1 just now: DATABASE_URL in default v1 just now: DATABASE_URL in staging v1 just now: DATABASE_URL in production',
  ]);
  const values = ['default', 'staging', 'production'].map((name) => valueIn(name, 'DATABASE_URL'));
  expect(await Promise.all(values)).toEqual(['first', 'MARKED-both', 'MARKED-both']);
  await accessible();
});

test('a new value is for the environment of the secret until others are chosen, and each outcome is named', async () => {
  await byRole('link', 'DATABASE_URL in production').filter({ visible: true }).click();
  await button('New value').click();
  const chosen = (name: string) => dialog().getByRole('checkbox', { name }).isChecked();
  await appears('checkbox', 'staging', dialog());
  await enter('New value', 'MARKED-second', dialog());
  expect([await chosen('staging'), await chosen('production')]).toEqual([false, true]);
  await tick('staging', dialog());
  const staging = await ask('secrets-list', { environment: 'staging' });
  const [{ secretId }] = staging.secrets;
  await page.route(`**/api/admin/secrets/${secretId}*`, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 409, json: { err: 'Changed there.', res: null } })
      : route.continue(),
  );
  await press('Save the value', dialog());
  await see('1 of 2 environments is done. Unchanged and still selected: staging.', dialog());
  expect([await chosen('staging'), await chosen('production')]).toEqual([true, false]);
  await page.unroute(`**/api/admin/secrets/${secretId}*`);
  await press('Save the value', dialog());
  await gone(dialog());
  const values = ['default', 'staging', 'production'].map((name) => valueIn(name, 'DATABASE_URL'));
  expect(await Promise.all(values)).toEqual(['first', 'MARKED-second', 'MARKED-second']);
});

test('an import says beside its button into which environment, and shows what it overwrites there', async () => {
  await show('/secrets/import');
  await enter('The .env text', 'DATABASE_URL=MARKED-third\nONLY_HERE=1');
  await see('Choose the environment beside the button.');
  await choose('Environment', 'staging');
  await headed('Preview for staging');
  await see('1 new secret, 1 new value');
  await button('Import 2 into staging').click();
  await exactly('heading', 'Secrets').waitFor();
  expect(await valueIn('staging', 'DATABASE_URL')).toBe('MARKED-third');
  expect(await valueIn('production', 'DATABASE_URL')).toBe('MARKED-second');
});

test('gaps come first, those probably forgotten before others, and on a phone each key lists its environments', async () => {
  await ask('secrets-create', { environment: 'staging', key: 'READ_HERE', value: '1' });
  await valueIn('staging', 'READ_HERE');
  await instance.settled();
  await page.setViewportSize({ width: 390, height: 844 });
  await show('/secrets');
  await page.reload();
  await see('missing', button('Missing: add READ_HERE to production'));
  const rows = byRole('table', 'Secrets by environment').locator('tbody tr');
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
    await follow('Find who has this value');
    await headed('Who has this value?');
    await button('Ask').click();
    await see(/^v1, /);
    expect(await page.getByLabel('A value that has leaked').inputValue()).toBe('');
  };
  await show('/secrets');
  await paste('Search keys and tags');
  await accessible();
  await button('New value').click();
  await enter('New value', 'MARKED-fourth', dialog());
  await press('Save the value', dialog());
  await gone(dialog());
  expect(await valueIn('production', key)).toBe('MARKED-fourth');
  await instance.settled();
  await hotkey('Control+k');
  await paste('Go to a screen, prompt, secret or API key');
  await follow(key);
  await button('Roll back to v1').click();
  await see(`Type ${key} to confirm`, dialog());
  await press('Cancel', dialog());
  expect(addresses.join()).not.toContain('MARKED');
});

test('a banner names the environment whose secrets are not served', async () => {
  await ask('serving-set', { environment: 'staging', allowed: false, reason: 'Leak' });
  await page.reload();
  await see('The vault of staging is stopped', byRole('alert'));
  await button('Resume of staging').click();
  await press('Resume', dialog());
  await gone(byRole('alert'));
});
