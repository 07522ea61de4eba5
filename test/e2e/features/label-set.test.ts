import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { show, type Visit, visit } from '../../support/browser/browser.ts';
import { scrollsSideways, violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { fetchPrompt } from '../../support/scenarios/admin-world.ts';

openSite();

const NAMES = ['support/reply', 'support/title'];
const ids: string[] = [];
let editor: Visit;
let page: Page;

beforeAll(async () => {
  for (const name of NAMES) {
    const body = { name, prompt: 'Hello {{user}}', label: 'production' };
    const { promptId } = (await ask('prompts-create', body)).prompt;
    ids.push(promptId);
    const next = { prompt: 'Hello {{user}} in {{place}}', bump: 'major', label: 'staging' };
    await ask('versions-publish', { promptId, ...next });
  }
  const asked = { label: 'production', shouldCompile: true, variables: { user: 'Ada' } };
  await fetchPrompt(instance, ids[0] ?? '', { ...asked, name: 'web', times: 2 });
  editor = await visit(browser, instance, { groups: ['editor'], path: '/prompts?folder=support' });
  page = editor.page;
});

const served = (label: string) =>
  Promise.all(
    NAMES.map(
      async (name) =>
        (await instance.post('/api/prompt/get-compiled', { name, label })).json.res?.version ?? 'none',
    ),
  );
const choose = async (field: string, option: string) => {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
const reviewButton = (count: string) => page.getByRole('button', { name: `Review ${count}`, exact: true });
const dialog = () => page.getByRole('dialog');
const moveButton = (count: string) => dialog().getByRole('button', { name: `Move ${count}` });
const affected = () => dialog().getByRole('region', { name: 'Who is affected' });
const cancel = async () => {
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await dialog().waitFor({ state: 'detached' });
};
/** Points production elsewhere than the screen knows. */
const moveElsewhere = (index: number, version: string, expected: string) =>
  ask('labels-set', { promptId: ids[index] ?? '', label: 'production', version, expected });

test('the moves of a folder are asked about once, when they are reviewed, with the callers that break', async () => {
  const asked: string[] = [];
  page.on('request', (request) => request.url().endsWith('/effects') && asked.push(request.url()));
  await page.getByRole('link', { name: 'Move labels' }).click();
  await choose('To the version of', 'staging');
  expect(await page.getByRole('checkbox', { name: 'Select support/title' }).isChecked()).toBe(false);
  expect(await reviewButton('0 moves').isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Choose 2 to a higher version' }).click();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  expect(asked).toEqual([]);
  await reviewButton('2 moves').click();
  await dialog().getByText('New variable place: callers must send a value.').nth(1).waitFor();
  await dialog().getByText('This breaks 1 of 1 callers.').waitFor();
  await affected().getByText('support/reply: breaks').waitFor();
  expect(asked).toHaveLength(1);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await scrollsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 900 });
  await cancel();
});

test('moves are left out and compared', async () => {
  await page.getByRole('checkbox', { name: 'Select support/reply' }).uncheck();
  await reviewButton('1 move').click();
  await affected().getByText('No API key asked these prompts for the label production').waitFor();
  await cancel();
  await page.getByRole('checkbox', { name: 'Select support/reply' }).check();
  await page.getByRole('button', { name: 'Compare support/reply' }).click();
  await dialog().getByText('production serves 1.0.0 now').waitFor();
  await cancel();
});

test('a set whose labels are all there by now moves nothing, and says so', async () => {
  await reviewButton('2 moves').click();
  for (const index of [0, 1]) await moveElsewhere(index, '2.0.0', '1.0.0');
  await moveButton('2 labels').click();
  await page.getByText('Every label was already there.').waitFor();
  await page.getByText('Nothing to move').waitFor();
});

test('a set whose last row moves elsewhere after the review is not applied, names that row, and is read again', async () => {
  for (const index of [0, 1]) await moveElsewhere(index, '1.0.0', '2.0.0');
  const params = { promptId: ids[1] ?? '' };
  await ask('versions-publish', { ...params, prompt: 'Hello', bump: 'major' });
  await page.goto(`${instance.url}/prompts?folder=support`);
  await page.getByRole('link', { name: 'Move labels' }).click();
  await choose('To the version of', 'staging');
  await page.getByRole('button', { name: 'Choose 2 to a higher version' }).click();
  await reviewButton('2 moves').click();
  await moveButton('2 labels').and(page.locator(':enabled')).waitFor();
  await moveElsewhere(1, '3.0.0', '1.0.0');
  await moveButton('2 labels').click();
  await dialog().getByRole('alert').getByText('of "support/title" points to 3.0.0 now').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  expect(await served('production')).toEqual(['1.0.0', '3.0.0']);
  await cancel();
  await page.getByRole('row').filter({ hasText: 'downgrade' }).getByText('3.0.0').last().waitFor();
  await reviewButton('2 moves').click();
  await moveButton('2 labels').click();
  await page.getByText('2 labels moved in one step.').waitFor();
  expect(await served('production')).toEqual(['2.0.0', '2.0.0']);
});

test('selected prompts move in one step, which the audit log names, and are undone in one', async () => {
  await show(page, '/prompts?folder=support');
  // Without the message of the move before.
  await page.reload();
  for (const name of NAMES) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page
    .getByRole('group', { name: 'Selected prompts' })
    .getByRole('link', { name: 'Move labels' })
    .click();
  await page.getByText('2 selected prompts').waitFor();
  await choose('Label to move', 'preview');
  await page.getByRole('checkbox', { name: 'Select support/reply' }).check();
  await page.getByRole('checkbox', { name: 'Select support/title' }).check();
  await reviewButton('2 moves').click();
  await moveButton('2 labels').click();
  await page.getByText('2 labels moved in one step.').waitFor();
  expect(await served('preview')).toEqual(['2.0.0', '3.0.0']);
  await page.getByRole('button', { name: 'Undo all' }).click();
  await page.getByText('Undone:').waitFor();
  expect(await served('preview')).toEqual(['none', 'none']);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await show(page, '/audit');
  const row = page.getByRole('row').filter({ hasText: 'moved 2 labels of prompts at once' }).first();
  await row.getByText('preview').last().waitFor();
});

test('viewers see no way to move labels', async () => {
  const viewer = await visit(browser, instance, { groups: ['viewer'], path: '/prompts?folder=support' });
  await viewer.page.getByRole('table', { name: 'Prompts' }).waitFor();
  expect(await viewer.page.getByRole('link', { name: 'Move labels' }).count()).toBe(0);
  expect(await viewer.page.getByRole('checkbox').count()).toBe(0);
  await viewer.close();
});
