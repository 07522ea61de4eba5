import type { Page } from 'playwright-core';
import { revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { ask } from '../../support/admin.ts';
import { show, type Visit, visit } from '../../support/browser/browser.ts';
import { seriousViolations } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { changeAt } from '../../support/rows/table.ts';
import { fetchPrompt } from '../../support/scenarios/admin-world.ts';

let editor: Visit;
let page: Page;
let promptId: string;
let web: string;

openSite();

beforeAll(async () => {
  const body = { name: 'greeting', prompt: 'Hello {{user}}', label: 'production' };
  ({ promptId } = (await ask('prompts-create', body)).prompt);
  const params = { promptId };
  await ask('versions-publish', { ...params, prompt: 'Hi {{user}} in {{place}}', bump: 'minor' });
  const compiling = { shouldCompile: true, variables: { user: 'Ada' } };
  const asked = { ...compiling, label: 'production', times: 2, name: 'web' };
  ({ apiKey: web } = await fetchPrompt(instance, promptId, asked));
  const { keyId } = await fetchPrompt(instance, promptId, { label: 'production', name: 'revoked since' });
  await revokeApiKey(instance.table, changeAt(), keyId);
  await fetchPrompt(instance, promptId, { name: 'follower' });
  await fetchPrompt(instance, promptId, { version: '1.0.0', name: 'pinned' });
  editor = await visit(browser, instance, { groups: ['editor'] });
  page = editor.page;
  await show(page, `/prompts/${promptId}`);
});

const dialog = () => page.getByRole('dialog');
const affected = () => dialog().getByRole('region', { name: 'Who is affected' });
const served = async () =>
  (await instance.post('/api/prompt/get-compiled', { name: 'greeting', label: 'production' })).json.res
    .version;
const labelled = (text: RegExp) => dialog().getByLabel(text);
const publishButton = (text: RegExp) => dialog().getByRole('button', { name: text });
const open = async (label: string, item: string) => {
  await page.getByRole('button', { name: `Actions for the label ${label}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const close = async () => {
  await dialog().getByRole('button', { name: 'Close' }).click();
  await dialog().waitFor({ state: 'detached' });
};

test('moving a label shows its callers, the variables they do not send, and the differences', async () => {
  await open('production', 'Move to another version');
  await dialog().getByRole('combobox', { name: 'Version' }).click();
  await page.getByRole('option', { name: '1.1.0' }).click();
  await affected().getByText('1 API key asked for the label production').waitFor();
  await affected().getByText('sends no value for place').waitFor();
  expect(await affected().textContent()).not.toMatch(/follower|pinned/);
  expect(await dialog().getByRole('insertion').textContent()).toBe('Hi {{user}} in {{place}}');
  expect(await seriousViolations(page)).toEqual([]);
});

test('a move that breaks callers says how many, shows itself, and the toast undoes it', async () => {
  await dialog().getByRole('status').getByText('This breaks 1 of 1 callers.').waitFor();
  await dialog().getByRole('button', { name: 'Move the label' }).click();
  await dialog().waitFor({ state: 'detached' });
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /label production/ }) });
  expect(await row.getByRole('link').textContent()).toBe('1.1.0');
  expect(await served()).toBe('1.1.0');
  await page.getByRole('alert').getByRole('button', { name: 'Back to 1.0.0' }).click();
  await page
    .getByText('production serves 1.0.0 again. Callers that ask for the latest version still get 1.1.0.')
    .waitFor();
  expect(await served()).toBe('1.0.0');
});

test('the history of a label lists its moves, and the last one can be undone at once in the panel', async () => {
  await open('production', 'History');
  await dialog().getByText('production: 1.1.0 → 1.0.0').waitFor();
  await dialog().getByText('production: 1.0.0 → 1.1.0').waitFor();
  await dialog().getByRole('link', { name: 'Compare' }).first().waitFor();
  await dialog().getByRole('button', { name: 'Back to 1.1.0' }).waitFor();
  await close();
  await page.getByRole('button', { name: 'Back to 1.1.0: production' }).click();
  await dialog().getByText('What 1.1.0 changes compared with 1.0.0').waitFor();
  // Callers that ask for the latest version get it already.
  expect(await dialog().getByRole('checkbox').count()).toBe(0);
  await dialog().getByRole('button', { name: 'Back to 1.1.0' }).click();
  await page.getByText('production serves 1.1.0 again.').waitFor();
  // Nothing in the message leads back to the bad version.
  expect(await page.getByRole('button', { name: 'Back to 1.0.0', exact: true }).count()).toBe(0);
  expect(await served()).toBe('1.1.0');
});

test('removing a label and deleting a version or a prompt list the callers that will fail', async () => {
  await open('production', 'Remove');
  await affected().getByText('will get an error').waitFor();
  expect(await affected().textContent()).toContain('web');
  await close();
  await page.getByRole('link', { name: /^1\.0\.0 / }).click();
  await page.getByRole('button', { name: 'Actions for version 1.0.0' }).click();
  await page.getByRole('menuitem', { name: 'Delete this version' }).click();
  await affected().getByRole('link', { name: 'pinned' }).waitFor();
  expect(await affected().getByRole('link').count()).toBe(1);
  await close();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete the prompt' }).click();
  await affected().getByText('4 API keys asked for this prompt').waitFor();
  await close();
});

test('publishing lists who gets the version immediately, and moves a label in the same step', async () => {
  await show(page, `/prompts/${promptId}/new-version`);
  await page.getByRole('textbox', { name: 'Template' }).fill('Hey {{user}}');
  await page.getByRole('button', { name: 'Review and publish' }).click();
  await dialog().getByText('Minor · 1.2.0').click();
  await affected().getByRole('link', { name: 'follower' }).waitFor();
  expect(await affected().getByRole('link').count()).toBe(1);
  await labelled(/^Publish and point a label/).check();
  await affected().getByRole('link', { name: 'web' }).waitFor();
  await dialog().getByText('which production serves now').waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Publish 1.2.0 and point production to it' }).click();
  await page.getByText('Version 1.2.0 is published, and production serves it.').waitFor();
  expect(await served()).toBe('1.2.0');
  const toast = page.getByRole('alert').filter({ hasText: 'Version 1.2.0 is published' });
  await toast.getByRole('button', { name: 'Back to 1.1.0' }).click();
  await page.getByText('production serves 1.1.0 again.').waitFor();
});

test('rolling back lists the callers, and reaches those that ask for the latest version too, in one step', async () => {
  await show(page, `/prompts/${promptId}`);
  await open('production', 'Move to another version');
  await dialog().getByRole('combobox', { name: 'Version' }).click();
  await page.getByRole('option', { name: '1.2.0' }).waitFor();
  expect(await page.getByRole('option').allTextContents()).toEqual([
    '1.2.0just now by editor@example.com',
    '1.1.0serves nowjust now by admin@example.com',
    '1.0.0just now by admin@example.com',
  ]);
  await page.getByRole('option', { name: '1.2.0' }).click();
  await dialog().getByRole('button', { name: 'Move the label' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Back to 1.1.0: production' }).click();
  await dialog()
    .getByRole('checkbox', { name: /^Publish 1\.1\.0 again as 2\.0\.0,/ })
    .check();
  await affected().getByRole('link', { name: 'follower' }).waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Back to 1.1.0' }).click();
  await dialog().waitFor({ state: 'detached' });
  const published = await served();
  const latest = await instance.post('/api/prompt/get-compiled', { promptId });
  expect(latest.json.res).toMatchObject({ version: published, prompt: expect.stringContaining('place') });
  expect(published).not.toBe('1.1.0');
  const params = { promptId, label: 'production' };
  await ask('labels-set', { ...params, version: '1.1.0' });
});

test('the users of a version include a key that has received another one since', async () => {
  await instance.post('/api/prompt/get-compiled', { promptId, label: 'production' }, web);
  await instance.settled();
  await show(page, `/prompts/${promptId}/usage?version=1.0.0`);
  const keys = page.getByRole('table', { name: 'Calls by API key' });
  await keys.getByRole('link', { name: 'pinned' }).waitFor();
  expect(await keys.getByText('follower').count()).toBe(0);
  await page.getByText('By API key').click();
  await page.getByRole('columnheader', { name: /^pinned \(/ }).waitFor({ state: 'attached' });
  await keys.getByRole('link', { name: 'web' }).click();
  await keys.getByText('pinned').waitFor({ state: 'detached' });
  await show(page, `/prompts/${promptId}`);
});

describe('a protected label', () => {
  let admin: Visit;
  beforeAll(async () => {
    admin = await visit(browser, instance, { path: `/prompts/${promptId}` });
  });

  test('is protected by an administrator, who sees which callers this does not cover', async () => {
    const { page } = admin;
    await page.getByRole('button', { name: 'Actions for the label production' }).click();
    await page.getByRole('menuitem', { name: 'Protect' }).click();
    await page.getByRole('dialog').getByText('Callers that ask for no label are not protected').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Protect the label' }).click();
    await page.getByText('production is protected.').waitFor();
    await page.getByRole('img', { name: 'Protected' }).first().waitFor();
    await page.getByRole('button', { name: 'Actions for the label production' }).click();
    expect(await page.getByRole('menuitem', { name: 'Move to another version' }).isEnabled()).toBe(true);
    await page.keyboard.press('Escape');
  });

  test('is marked for an editor, with a reason instead of what only administrators may do', async () => {
    await page.reload();
    await page.getByText('Only administrators move a protected label.').waitFor();
    await page.getByRole('button', { name: 'Actions for the label production' }).click();
    await page
      .getByText('Only administrators can set, move or remove the protected label production.')
      .waitFor();
    for (const name of ['Move to another version', 'Remove'])
      expect(await page.getByRole('menuitem', { name, exact: true }).isDisabled()).toBe(true);
    expect(await page.getByRole('menuitem', { name: /Protect|protection/ }).count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More actions' }).click();
    expect(await page.getByRole('menuitem', { name: 'Delete the prompt' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
  });

  test('does not move when an editor publishes', async () => {
    await show(page, `/prompts/${promptId}/new-version`);
    await page.getByRole('textbox', { name: 'Template' }).fill('Good day {{user}}');
    await page.getByRole('button', { name: 'Review and publish' }).click();
    await labelled(/^Publish and point a label/).check();
    await dialog().getByText('Only administrators can set, move or remove').waitFor();
    expect(await publishButton(/^Publish .* and point production/).isDisabled()).toBe(true);
    await dialog().getByLabel('Publish without moving a label').check();
    await publishButton(/^Publish /).click();
    await page.getByText(/is published/).waitFor();
    expect(await served()).toBe('1.1.0');
  });
});
