import { ask } from '../../support/admin.ts';
import { keptIn } from '../../support/browser/screen-checks.ts';
import {
  accessible,
  appears,
  arrive,
  byRole,
  dialog,
  disabled,
  exactly,
  follow,
  gone,
  headed,
  hotkey,
  instance,
  load,
  menu,
  openSite,
  page,
  press,
  rowWith,
  see,
} from '../../support/browser/site.ts';

const KEY = 'DATABASE_URL';
const PEM = '-----BEGIN KEY-----\nMARKED-first\n-----END KEY-----';

openSite();

beforeAll(() => arrive({ groups: ['editor'], path: '/secrets' }));

const released = async (key = KEY) =>
  (await instance.post('/api/vault/get-secrets', { key })).json.res?.[key];
const tagsField = () => exactly('combobox', 'Tags', dialog());
const field = (name: string) => dialog().getByRole('textbox', { name, exact: true });

test('the empty list explains how to start, and problematic names are flagged before saving', async () => {
  await headed('Put passwords and tokens here, not into files');
  await press('Add the first secret');
  await field('Key').fill('LD_PRELOAD');
  await see('changes which code programs load or run', dialog());
  await field('Key').fill('with-dash');
  await see('No shell accepts this as the name', dialog());
  await field('Key').fill(KEY);
  await gone(dialog().getByText('No shell accepts'));
});

test('a multiline value is stored as pasted, and hidden until revealed', async () => {
  const value = field('Value');
  const looks = () =>
    page.evaluate("getComputedStyle(document.querySelector('[role=dialog] textarea')).webkitTextSecurity");
  await value.fill(PEM);
  expect(await looks()).toBe('disc');
  await press('Show the value', dialog());
  expect(await looks()).toBe('none');
  await tagsField().fill('database');
  await value.press('Enter');
  await gone(dialog());
  const row = rowWith(KEY);
  await row.getByText('database', { exact: true }).waitFor();
  await row.getByText('not yet').filter({ visible: true }).waitFor();
  expect(await released()).toBe(PEM);
});

test('Escape never closes a dialog with input', async () => {
  await press('New secret');
  await field('Key').fill('ESCAPED');
  await field('Value').fill('typed');
  await hotkey('Escape');
  expect(await field('Value').inputValue()).toBe('typed');
});

test('a dialog asks before it drops what is typed', async () => {
  const question = dialog('Leave without saving?');
  await press('Cancel', dialog());
  await question.waitFor();
  await accessible();
  await press('Stay', question);
  await gone(question);
  expect(await field('Value').inputValue()).toBe('typed');
  await press('Close', dialog());
  await press('Leave', question);
  await gone(dialog());
});

test('a generated value replaces the current input, which can be restored without being shown', async () => {
  await follow(KEY);
  await press('New value');
  await press('Generate', dialog());
  expect(await field('New value').inputValue()).toMatch(/^[0-9a-f]{64}$/);
  const generated = await field('New value').inputValue();
  await press('Save the value', dialog());
  await page.getByText('v2', { exact: true }).waitFor();
  expect(await released()).toBe(generated);
  await press('Roll back to v1');
  await press('Roll back to v1', dialog());
  await appears('button', 'Roll back to v2');
  expect(await released()).toBe(PEM);
});

test('a concurrent change of the value is not overwritten, and the input is kept', async () => {
  const { secrets } = await ask('secrets-list');
  const [{ secretId }] = secrets;
  await press('New value');
  await field('New value').fill('MARKED-mine');
  await ask('secrets-update', { secretId, value: 'MARKED-theirs' });
  await press('Save the value', dialog());
  await see('v3 is current now', dialog().getByRole('alert'));
  expect(await released()).toBe('MARKED-theirs');
  await press('Save the value', dialog());
  await page.getByText('v4', { exact: true }).waitFor();
  expect(await released()).toBe('MARKED-mine');
});

test('removing a tag shows which API keys lose the secret', async () => {
  await press('Edit the tags');
  await tagsField().press('Backspace');
  await see('limited to database can no longer read this secret', dialog());
  await tagsField().fill('db');
  await press('Save', dialog());
  await byRole('definition').getByText('db', { exact: true }).waitFor();
  expect((await instance.post('/api/vault/get-secrets', { tags: ['db'] })).json.res).toEqual({
    [KEY]: 'MARKED-mine',
  });
});

test('a concurrent change of tags is not overwritten until saved again', async () => {
  const { secrets } = await ask('secrets-list');
  const params = { secretId: secrets[0].secretId };
  await press('Edit the tags');
  await tagsField().fill('mine');
  await tagsField().press('Enter');
  await ask('secrets-update', { ...params, tags: ['db', 'theirs'] });
  await press('Save', dialog());
  await see('It has db, theirs now', dialog().getByRole('alert'));
  await see('limited to theirs can no longer read this secret', dialog());
  const tagsNow = async () => (await ask('secrets-list')).secrets[0].tags;
  expect(await tagsNow()).toEqual(['db', 'theirs']);
  await press('Save', dialog());
  await gone(dialog());
  expect(await tagsNow()).toEqual(['db', 'mine']);
});

test('the list of known tags closes after each tag, so Save stays reachable', async () => {
  await ask('secrets-create', { key: 'TAGGED', value: 'x', tags: ['team', 'times'] });
  await page.reload();
  await press('Edit the tags');
  const save = byRole('button', 'Save', dialog());
  await tagsField().pressSequentially('t');
  await byRole('option').first().waitFor();
  await tagsField().press('Enter');
  await byRole('option').first().waitFor({ state: 'hidden' });
  await save.click();
  await gone(dialog());
});

test('after saving, no value is in the page, the URL or browser storage', async () => {
  expect((await keptIn(page)).includes('MARKED')).toBe(false);
  expect(instance.logs.join('')).not.toContain('MARKED');
});

test('deleting a secret requires typing its key, and can be undone', async () => {
  await menu('More actions', 'Delete the secret');
  const remove = byRole('button', 'Delete', dialog());
  await disabled(remove);
  await dialog().getByLabel(`Type ${KEY} to confirm`).fill(KEY);
  await remove.click();
  await page.waitForURL(`${instance.url}/secrets`);
  expect(await released()).toBeUndefined();
  await follow('Deleted secrets');
  await press(`Restore ${KEY}`);
  await headed(KEY);
  expect(await released()).toBe('MARKED-mine');
});

test('it is recorded that the old credential of a rotation is disabled, and its note and day can be changed', async () => {
  const { secret } = await ask('secrets-create', { key: 'ROTATED', value: 'one', tags: [] });
  const body = { value: 'two', rotateBy: '2020-01-31' };
  await ask('secrets-update', { secretId: secret.secretId, ...body });
  await load(`/secrets/${secret.secretId}`);
  await see('overdue since Jan 31, 2020');
  await accessible();
  await press('Mark old credential as disabled');
  await see(/Old credential disabled: recorded .* by editor@example.com/);
  await press('Edit note and date');
  await dialog().getByLabel('Note').fill('From the billing console');
  await dialog().getByLabel('Rotate by').fill('');
  await accessible();
  await press('Save', dialog());
  await see('From the billing console');
  await gone(page.getByText('overdue since'));
});
