import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { type Visit, visit } from '../../support/browser/browser.ts';
import { keptIn, violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

const KEY = 'DATABASE_URL';
const PEM = '-----BEGIN KEY-----\nMARKED-first\n-----END KEY-----';

let editor: Visit;
let page: Page;

openSite();

beforeAll(async () => {
  editor = await visit(browser, instance, { groups: ['editor'], path: '/secrets' });
  page = editor.page;
});

const released = async (key = KEY) =>
  (await instance.post('/api/vault/get-secrets', { key })).json.res?.[key];
const dialog = () => page.getByRole('dialog').filter({ visible: true });
const tagsField = () => dialog().getByRole('combobox', { name: 'Tags', exact: true });
const field = (name: string) => dialog().getByRole('textbox', { name, exact: true });

test('the empty list explains how to start, and problematic names are flagged before saving', async () => {
  await page.getByRole('heading', { name: 'Put passwords and tokens here, not into files' }).waitFor();
  await page.getByRole('button', { name: 'Add the first secret' }).click();
  await field('Key').fill('LD_PRELOAD');
  await dialog().getByText('changes which code programs load or run').waitFor();
  await field('Key').fill('with-dash');
  await dialog().getByText('No shell accepts this as the name').waitFor();
  await field('Key').fill(KEY);
  await dialog().getByText('No shell accepts').waitFor({ state: 'detached' });
});

test('a multiline value is stored as pasted, and hidden until revealed', async () => {
  const value = field('Value');
  const looks = () =>
    page.evaluate("getComputedStyle(document.querySelector('[role=dialog] textarea')).webkitTextSecurity");
  await value.fill(PEM);
  expect(await looks()).toBe('disc');
  await dialog().getByRole('button', { name: 'Show the value' }).click();
  expect(await looks()).toBe('none');
  await tagsField().fill('database');
  await value.press('Enter');
  await dialog().waitFor({ state: 'detached' });
  const row = page.getByRole('row').filter({ hasText: KEY });
  await row.getByText('database', { exact: true }).waitFor();
  await row.getByText('not yet').filter({ visible: true }).waitFor();
  expect(await released()).toBe(PEM);
});

test('Escape never closes a dialog with input', async () => {
  await page.getByRole('button', { name: 'New secret' }).click();
  await field('Key').fill('ESCAPED');
  await field('Value').fill('typed');
  await page.keyboard.press('Escape');
  expect(await field('Value').inputValue()).toBe('typed');
});

test('a dialog asks before it drops what is typed', async () => {
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await question.getByRole('button', { name: 'Stay' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await field('Value').inputValue()).toBe('typed');
  await dialog().getByRole('button', { name: 'Close' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await dialog().waitFor({ state: 'detached' });
});

test('a generated value replaces the current input, which can be restored without being shown', async () => {
  await page.getByRole('link', { name: KEY }).click();
  await page.getByRole('button', { name: 'New value' }).click();
  await dialog().getByRole('button', { name: 'Generate' }).click();
  expect(await field('New value').inputValue()).toMatch(/^[0-9a-f]{64}$/);
  const generated = await field('New value').inputValue();
  await dialog().getByRole('button', { name: 'Save the value' }).click();
  await page.getByText('v2', { exact: true }).waitFor();
  expect(await released()).toBe(generated);
  await page.getByRole('button', { name: 'Roll back to v1' }).click();
  await dialog().getByRole('button', { name: 'Roll back to v1' }).click();
  await page.getByRole('button', { name: 'Roll back to v2' }).waitFor();
  expect(await released()).toBe(PEM);
});

test('a concurrent change of the value is not overwritten, and the input is kept', async () => {
  const { secrets } = await ask('secrets-list');
  const [{ secretId }] = secrets;
  await page.getByRole('button', { name: 'New value' }).click();
  await field('New value').fill('MARKED-mine');
  await ask('secrets-update', { secretId, value: 'MARKED-theirs' });
  await dialog().getByRole('button', { name: 'Save the value' }).click();
  await dialog().getByRole('alert').getByText('v3 is current now').waitFor();
  expect(await released()).toBe('MARKED-theirs');
  await dialog().getByRole('button', { name: 'Save the value' }).click();
  await page.getByText('v4', { exact: true }).waitFor();
  expect(await released()).toBe('MARKED-mine');
});

test('removing a tag shows which API keys lose the secret', async () => {
  await page.getByRole('button', { name: 'Edit the tags' }).click();
  await tagsField().press('Backspace');
  await dialog().getByText('limited to database can no longer read this secret').waitFor();
  await tagsField().fill('db');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByRole('definition').getByText('db', { exact: true }).waitFor();
  expect((await instance.post('/api/vault/get-secrets', { tags: ['db'] })).json.res).toEqual({
    [KEY]: 'MARKED-mine',
  });
});

test('a concurrent change of tags is not overwritten until saved again', async () => {
  const { secrets } = await ask('secrets-list');
  const params = { secretId: secrets[0].secretId };
  await page.getByRole('button', { name: 'Edit the tags' }).click();
  await tagsField().fill('mine');
  await tagsField().press('Enter');
  await ask('secrets-update', { ...params, tags: ['db', 'theirs'] });
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().getByRole('alert').getByText('It has db, theirs now').waitFor();
  await dialog().getByText('limited to theirs can no longer read this secret').waitFor();
  const tagsNow = async () => (await ask('secrets-list')).secrets[0].tags;
  expect(await tagsNow()).toEqual(['db', 'theirs']);
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().waitFor({ state: 'detached' });
  expect(await tagsNow()).toEqual(['db', 'mine']);
});

test('the list of known tags closes after each tag, so Save stays reachable', async () => {
  await ask('secrets-create', { key: 'TAGGED', value: 'x', tags: ['team', 'times'] });
  await page.reload();
  await page.getByRole('button', { name: 'Edit the tags' }).click();
  const save = dialog().getByRole('button', { name: 'Save' });
  await tagsField().pressSequentially('t');
  await page.getByRole('option').first().waitFor();
  await tagsField().press('Enter');
  await page.getByRole('option').first().waitFor({ state: 'hidden' });
  await save.click();
  await dialog().waitFor({ state: 'detached' });
});

test('after saving, no value is in the page, the URL or browser storage', async () => {
  expect((await keptIn(page)).includes('MARKED')).toBe(false);
  expect(instance.logs.join('')).not.toContain('MARKED');
});

test('deleting a secret requires typing its key, and can be undone', async () => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete the secret' }).click();
  const remove = dialog().getByRole('button', { name: 'Delete' });
  expect(await remove.isDisabled()).toBe(true);
  await dialog().getByLabel(`Type ${KEY} to confirm`).fill(KEY);
  await remove.click();
  await page.waitForURL(`${instance.url}/secrets`);
  expect(await released()).toBeUndefined();
  await page.getByRole('link', { name: 'Deleted secrets' }).click();
  await page.getByRole('button', { name: `Restore ${KEY}` }).click();
  await page.getByRole('heading', { name: KEY }).waitFor();
  expect(await released()).toBe('MARKED-mine');
});

test('a rotation can be followed: who has the new value, and that the old credential is disabled', async () => {
  const job = await instance.newKey({ name: 'job' });
  const { secret } = await ask('secrets-create', { key: 'ROTATED', value: 'one', tags: [] });
  await instance.post('/api/vault/get-secrets', { key: 'ROTATED' }, job.apiKey);
  await instance.settled();
  const body = { value: 'two', rotateBy: '2020-01-31' };
  await ask('secrets-update', { secretId: secret.secretId, ...body });
  await page.goto(`${instance.url}/secrets/${secret.secretId}`);
  await page.getByText('overdue since Jan 31, 2020').waitFor();
  await page.getByText(/0 of 1 API key .* has the new value/).waitFor();
  await page.getByText('still missing: job').waitFor();
  await page.getByText('Wait before you disable the old credential').waitFor();
  await page.getByRole('button', { name: 'Mark old credential as disabled' }).click();
  await dialog().getByText('job has not read v2 yet.').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await instance.post('/api/vault/get-secrets', { key: 'ROTATED' }, job.apiKey);
  await instance.settled();
  await page.reload();
  await page.getByText(/1 of 1 API key .* has the new value/).waitFor();
  expect(await page.getByText('still missing').count()).toBe(0);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Mark old credential as disabled' }).click();
  await page.getByText(/Old credential disabled: recorded .* by editor@example.com/).waitFor();
  await page.getByRole('button', { name: 'Edit note and date' }).click();
  await dialog().getByLabel('Note').fill('From the billing console');
  await dialog().getByLabel('Rotate by').fill('');
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByText('From the billing console').waitFor();
  await page.getByText('overdue since').waitFor({ state: 'detached' });
});
