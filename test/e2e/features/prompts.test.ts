import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { show, type Visit, visit } from '../../support/browser/browser.ts';
import { violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

const NAME = 'answers/first reply';

let editor: Visit;
let page: Page;

openSite();

beforeAll(async () => {
  editor = await visit(browser, instance, { groups: ['editor'] });
  page = editor.page;
});

const template = () => page.getByRole('textbox', { name: 'Template' });
const fetched = async (body: object) =>
  (await instance.post('/api/prompt/get-compiled', { name: NAME, ...body })).json.res;

const publish = async (text: string, note: string): Promise<void> => {
  await page.getByRole('link', { name: /New version|Continue the draft/ }).click();
  await template().fill(text);
  await page.getByLabel('Note').fill(note);
  await page.getByRole('button', { name: 'Review and publish' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish/ })
    .click();
  await page.getByRole('heading', { name: NAME, exact: true }).waitFor();
};

const setLabel = async (version: string): Promise<string> => {
  await page.getByRole('button', { name: 'Set a label' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Label').fill('production');
  await dialog.getByRole('combobox', { name: 'Version' }).click();
  await page.getByRole('option', { name: version }).click();
  const said = (await dialog.getByRole('alert').textContent()) ?? '';
  await dialog.getByRole('button', { name: /the label$/ }).click();
  await dialog.waitFor({ state: 'detached' });
  return said;
};

test('the empty list explains how to create the first prompt', async () => {
  await page.getByRole('heading', { name: 'Keep your prompts here, not in your code' }).waitFor();
  await page.getByRole('link', { name: 'Write the first prompt' }).click();
  await page.getByLabel('Name').fill(NAME);
  await template().fill('Hello {{user}}!');
  // Nothing goes live under a label unless it is chosen.
  expect(await page.getByRole('combobox', { name: 'Label' }).inputValue()).toBe('');
  await page.getByRole('combobox', { name: 'Label' }).fill('production');
  await page.getByRole('button', { name: 'Review and publish' }).click();
  const review = page.getByRole('dialog', { name: 'Review and publish' });
  await review.getByText('callers that ask for production').getByText('must send a value for user').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await review.getByRole('button', { name: 'Publish and point production to it' }).click();
  await page.getByRole('heading', { name: NAME, exact: true }).waitFor();
  expect((await fetched({})).version).toBe('1.0.0');
  expect((await fetched({ label: 'production' })).version).toBe('1.0.0');
});

test('new text suggests a minor version, a new variable a major one, after a review of the differences', async () => {
  await publish('Good day {{user}}!', 'More polite');
  await page.getByText('More polite').first().waitFor();
  expect((await fetched({})).version).toBe('1.1.0');
  await publish('Good day {{user}}, it is {{day}}!', 'Tells the day');
  await page.getByText('Tells the day').first().waitFor();
  expect(await fetched({})).toMatchObject({ version: '2.0.0', prompt: 'Good day {{user}}, it is {{day}}!' });
});

test('the review before publishing shows what changes, in both texts and beside them, and nothing else', async () => {
  await page.getByRole('link', { name: 'New version' }).click();
  await template().fill('Good day {{user}},  \nit is {{time}}!');
  await page.getByLabel('Note').fill('In two lines');
  await page.getByRole('combobox', { name: 'Tags' }).fill('polite');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Review and publish' }).click();
  const dialog = page.getByRole('dialog');
  const changes = dialog.getByRole('region', { name: 'Template', exact: true });
  await changes.waitFor();
  expect(await changes.getByRole('deletion').allTextContents()).toEqual([
    'Good day {{user}}, it is {{day}}!',
  ]);
  expect(await changes.getByRole('insertion').allTextContents()).toEqual([
    'Good day {{user}},··↵\nit is {{time}}!',
  ]);
  expect(await changes.locator('mark').allTextContents()).toEqual(
    ['user', 'day', 'user', 'time'].map((name) => `{{${name}}}`),
  );
  const others = dialog.getByRole('list', { name: 'What else changes' });
  expect(await others.getByRole('listitem').allTextContents()).toEqual(['Tags: none → polite']);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard the draft' }).or(page.getByText('Draft saved')).waitFor();
  await page.getByRole('link', { name: NAME }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByLabel(/Type .* to confirm/).fill(NAME);
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByText('The draft is discarded.').waitFor();
});

test('any two versions can be compared by URL', async () => {
  const [, promptId = ''] = /prompts\/([^/?]+)/.exec(page.url()) ?? [];
  await show(page, `/prompts/${promptId}/compare?from=1.0.0&to=2.0.0`);
  const changes = page.getByRole('region', { name: 'Template', exact: true });
  const changed = async () => [
    await changes.getByRole('deletion').textContent(),
    await changes.getByRole('insertion').textContent(),
  ];
  expect(await changed()).toEqual(['Hello {{user}}!', 'Good day {{user}}, it is {{day}}!']);
  await page.getByRole('button', { name: 'Swap the versions' }).click();
  await page.waitForURL(/from=2\.0\.0&to=1\.0\.0/);
  await changes.getByRole('deletion').getByText('Good day').waitFor();
  expect(await changed()).toEqual(['Good day {{user}}, it is {{day}}!', 'Hello {{user}}!']);
  await page.getByRole('link', { name: NAME }).click();
});

test('the page of a prompt opens what production serves, and leads to the other versions', async () => {
  const live = page.getByRole('region', { name: 'What is live' });
  await live.getByRole('link', { name: '1.0.0, live as production' }).waitFor();
  await page.getByRole('region', { name: 'Template of version 1.0.0' }).waitFor();
  await live.getByRole('link', { name: '2.0.0, live as latest' }).click();
  await page.getByRole('region', { name: 'Template of version 2.0.0' }).waitFor();
});

test('trying a version shows the reply of the service, and marks missing variables', async () => {
  await page.getByRole('tab', { name: 'Try it' }).click();
  await page.getByLabel('user', { exact: true }).fill('Ada {{day}}');
  const compiled = page.getByRole('region', { name: 'Compiled text' });
  const variables = { user: 'Ada {{day}}' };
  const { compiledPrompt } = await fetched({ version: '2.0.0', shouldCompile: true, variables });
  expect(await compiled.textContent()).toBe(compiledPrompt);
  await page.getByText('Without a value: day.').waitFor();
});

test('test variables are kept between tabs, and as JSON', async () => {
  await page.getByText('JSON', { exact: true }).click();
  const json = page.getByLabel('Variables as JSON');
  expect(JSON.parse(await json.inputValue())).toEqual({ user: 'Ada {{day}}' });
  await json.fill('{"user": "Ada", "day": 3}');
  await page.getByRole('tab', { name: 'Use in code' }).click();
  await page.getByRole('tab', { name: 'Try it' }).click();
  await page.getByText('Fields', { exact: true }).click();
  expect(await page.getByLabel('day', { exact: true }).inputValue()).toBe('3');
  const compiled = page.getByRole('region', { name: 'Compiled text' });
  expect(await compiled.textContent()).toBe('Good day Ada, it is 3!');
});

test('moving a label shows what each version is, and the one it replaces, and takes effect on the next fetch', async () => {
  await page.getByRole('button', { name: 'Actions for the label production' }).click();
  await page.getByRole('menuitem', { name: 'Move to another version' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Version' }).click();
  expect(await page.getByRole('option').allTextContents()).toEqual([
    expect.stringMatching(/^2\.0\.0.+ by editor@example\.comTells the day$/),
    expect.stringMatching(/^1\.1\.0.+ by editor@example\.comMore polite$/),
    expect.stringMatching(/^1\.0\.0serves now.+ by editor@example\.com$/),
  ]);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await setLabel('2.0.0')).toMatch(/Version 2.0.0 replaces 1.0.0/);
  expect((await fetched({ label: 'production' })).version).toBe('2.0.0');
  expect(await setLabel('1.1.0')).toMatch(/Version 1.1.0 replaces 2.0.0/);
  expect((await fetched({ label: 'production' })).version).toBe('1.1.0');
});

test('an older version is republished as a new one, with the number that the operator chooses', async () => {
  await page.getByRole('link', { name: /^1\.0\.0 / }).click();
  await page.getByRole('button', { name: 'Actions for version 1.0.0' }).click();
  await page.getByRole('menuitem', { name: 'Publish again as a new version' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Removed variable day').waitFor();
  expect(await dialog.textContent()).not.toMatch(/[Cc]allers must/);
  expect(await dialog.getByRole('radio', { name: 'Major · 3.0.0' }).isChecked()).toBe(true);
  await dialog.getByText('Minor · 2.1.0').click();
  await dialog.getByRole('button', { name: 'Publish' }).click();
  // Before it is published, a notification of an earlier move can say "Back to 1.0.0" too.
  await page.waitForURL(/version=2\.1\.0/);
  expect(await fetched({})).toMatchObject({ version: '2.1.0', prompt: 'Hello {{user}}!' });
});

test('the history shows each fetch, by label and version', async () => {
  await page.getByRole('link', { name: 'Usage and history' }).click();
  const row = page.getByRole('row').filter({ hasText: 'production' }).first();
  await row.waitFor();
  expect(await row.textContent()).toContain('first run');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toBe('answers_first reply accesses.csv');
  await page.getByRole('link', { name: NAME }).click();
});

test('deleting a prompt in use requires its name and a confirmation, and can be undone', async () => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete the prompt' }).hover();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.getByRole('menuitem', { name: 'Delete the prompt' }).click();
  const dialog = page.getByRole('dialog');
  const remove = dialog.getByRole('button', { name: 'Delete' });
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByLabel(/Type .* to confirm/).fill(NAME);
  await remove.click();
  await dialog.getByText(/was fetched \d+ times/).waitFor();
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByLabel('Delete anyway: I know that it is in use.').check();
  await remove.click();
  await page.waitForURL(`${instance.url}/prompts`);
  expect((await instance.post('/api/prompt/get-compiled', { name: NAME })).code).toBe('prompt_not_found');
  await page.getByRole('link', { name: 'Deleted prompts' }).click();
  await page.getByRole('button', { name: `Restore ${NAME}` }).click();
  await page.getByRole('heading', { name: NAME, exact: true }).waitFor();
  expect((await fetched({})).version).toBe('2.1.0');
});

test('a prompt with consecutive spaces in its name can be deleted by its name', async () => {
  const name = 'two  blanks';
  await ask('prompts-create', { name, prompt: 'Hello' });
  await show(page, '/prompts');
  await page.getByRole('link', { name: 'two blanks' }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete the prompt' }).click();
  const dialog = page.getByRole('dialog');
  // biome-ignore lint/performance/useDomNodeTextContent: the visible text counts, spaces included
  expect(await dialog.getByRole('code').innerText()).toBe(name);
  await dialog.getByLabel(/Type .* to confirm/).fill(name);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(`${instance.url}/prompts`);
});

test('spaces around the name of a new prompt are trimmed', async () => {
  await page.getByRole('link', { name: 'New prompt' }).click();
  await page.getByLabel('Name').fill('  tidy ');
  await template().fill('Hello');
  await page.getByRole('button', { name: 'Create and publish' }).click();
  await page.getByRole('heading', { name: 'tidy', exact: true }).waitFor();
  expect((await instance.post('/api/prompt/get-compiled', { name: 'tidy' })).status).toBe(200);
});

test('tags of several prompts change in a patch version of each, after what a colleague has published', async () => {
  const names = ['several/one', 'several/two'];
  for (const name of names) await ask('prompts-create', { name, prompt: name });
  await show(page, '/prompts?folder=several');
  await page.getByRole('checkbox', { name: 'Select all listed prompts' }).check();
  await page.getByRole('button', { name: 'Add tags' }).click();
  const two = (await ask('prompts-list', { q: 'several/two' })).prompts[0];
  const params = { promptId: two?.promptId ?? '' };
  await ask('versions-publish', { ...params, prompt: 'New', bump: 'minor' });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('mine');
  await page.keyboard.press('Enter');
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('The tags of 2 prompts are saved.').waitFor();
  const found = names.map(
    async (name) => (await instance.post('/api/prompt/get-compiled', { name })).json.res,
  );
  expect(await Promise.all(found)).toMatchObject([
    { version: '1.0.1', prompt: 'several/one', tags: ['mine'] },
    { version: '1.1.1', prompt: 'New', tags: ['mine'] },
  ]);
});

test('a duplicate begins with the latest content under a name of its own', async () => {
  await page.getByRole('link', { name: /two$/ }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('button', { name: 'Create and publish' }).click();
  await page.getByRole('heading', { name: 'several/two-copy', exact: true }).waitFor();
  const { json } = await instance.post('/api/prompt/get-compiled', { name: 'several/two-copy' });
  expect(json.res).toMatchObject({ version: '1.0.0', prompt: 'New', tags: ['mine'] });
});

test('what hides or reorders text is shown as an escape in notes, tags, lists, snippets and comparisons', async () => {
  const hidden = 'a\u202eb\u200b';
  const shown = 'a\\u202eb\\u200b';
  const content = { prompt: `{{x}}`, note: hidden, tags: [hidden] };
  const name = 'hidden';
  const { prompt } = await ask('prompts-create', {
    name,
    ...content,
    variables: { x: { type: 'string', default: hidden } },
  });
  await show(page, `/prompts/${prompt.promptId}`);
  // Tags of the prompt and of the version, and its note here and in the list of versions.
  for (const place of [0, 1, 2, 3]) await page.getByText(shown, { exact: true }).nth(place).waitFor();
  await page.getByRole('tab', { name: 'Use in code' }).click();
  await page.getByRole('region', { name: 'the Python snippet' }).getByText(shown).waitFor();
  const params = { promptId: prompt.promptId };
  await ask('versions-publish', { ...params, ...content, prompt: hidden, model: hidden, bump: 'major' });
  await show(page, `/prompts/${prompt.promptId}/compare`);
  await page.getByRole('list', { name: 'What else changes' }).waitFor();
  expect(await page.getByRole('insertion').allTextContents()).toEqual([shown, shown]);
  await show(page, '/prompts?q=hidden');
  await page.getByRole('row').filter({ hasText: name }).getByText(shown, { exact: true }).waitFor();
  expect(await page.locator('#root, [data-portal]').allTextContents()).not.toContainEqual(
    expect.stringContaining(hidden),
  );
});

test('a compiled text leads to the version that it comes from, with its values', async () => {
  const prompt = 'You translate into {{language}}, sentence by sentence.';
  const body = { name: 'translate', prompt, label: 'production' };
  const { promptId } = (await ask('prompts-create', body)).prompt;
  const dialog = page.getByRole('dialog');
  await show(page, '/prompts');
  await page.getByRole('button', { name: 'Find a compiled text' }).click();
  await dialog
    .getByLabel('A compiled text, or a content hash')
    .fill('You translate into Welsh, sentence by sentence.');
  await dialog.getByRole('button', { name: 'Find', exact: true }).click();
  await dialog.getByText(/^1 version found in \d+ prompts?$/).waitFor();
  await dialog.getByText('language = Welsh').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('link', { name: 'translate 1.0.0' }).click();
  await page.waitForURL(`${instance.url}/prompts/${promptId}?version=1.0.0`);
});

describe('a search in texts', () => {
  const NAMES = Array.from({ length: 7 }, (_, n) => `large/${n}`);
  const isNextPart = (url: URL) => url.pathname === '/api/admin/prompts' && url.searchParams.has('cursor');
  const stop = () => page.getByRole('button', { name: 'Stop', exact: true });
  const rows = () => page.getByRole('table', { name: 'Prompts' }).getByRole('link').count();

  beforeAll(async () => {
    // Three of these take all that one call may read.
    for (const name of NAMES) await ask('prompts-create', { name, prompt: `${'x'.repeat(250_000)}\nzebra` });
  });

  test.each(['zebra', 'nowhere'])('stops on demand, with what is found so far: %s', async (sought) => {
    const held = Promise.withResolvers<void>();
    let parts = 0;
    await page.route(isNextPart, async (route) => {
      parts += 1;
      await held.promise;
      await route.continue();
    });
    await show(page, `/prompts?q=${sought}&texts=yes&folder=large`);
    await stop().click();
    await stop().waitFor({ state: 'detached' });
    // The part that is on its way still arrives.
    const arrived = page.waitForResponse((response) => isNextPart(new URL(response.url())));
    held.resolve();
    await arrived;
    await page.waitForTimeout(1_000);
    expect(parts).toBe(1);
    await page.getByText(/^\d prompts found among the first [3-6] prompts$/).waitFor();
    await page.getByRole('button', { name: 'Show more' }).waitFor();
    await page.unroute(isNextPart);
  });

  test('continues by itself until everything is found, with the line', async () => {
    await show(page, '/prompts?q=zebra&texts=yes&folder=large');
    await page.reload();
    await page.getByRole('link', { name: '6', exact: true }).waitFor();
    await stop().waitFor({ state: 'detached' });
    expect(await rows()).toBe(NAMES.length);
    await page.getByText('Found in: 1.0.0: zebra').last().waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
  });
});
