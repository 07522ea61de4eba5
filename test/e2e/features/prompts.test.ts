import { ask } from '../../support/admin.ts';
import {
  absent,
  accessible,
  addPrompt,
  appears,
  arrive,
  byRole,
  choose,
  confirm,
  dialog,
  disabled,
  exactly,
  follow,
  getCompiled,
  gone,
  headed,
  hotkey,
  instance,
  menu,
  openSite,
  page,
  press,
  rowWith,
  see,
  show,
  tick,
} from '../../support/browser/site.ts';

const NAME = 'answers/first reply';

openSite();

beforeAll(() => arrive({ groups: ['editor'] }));

const template = () => byRole('textbox', 'Template');
const fetched = (body: object) => getCompiled({ name: NAME, ...body });

const publish = async (text: string, note: string): Promise<void> => {
  await follow(/New version|Continue the draft/);
  await template().fill(text);
  await page.getByLabel('Note').fill(note);
  await press('Review and publish');
  await press(/^Publish/, dialog());
  await exactly('heading', NAME).waitFor();
};

test('the empty list explains how to create the first prompt', async () => {
  await headed('Keep your prompts here, not in your code');
  await follow('Write the first prompt');
  await page.getByLabel('Name').fill(NAME);
  await template().fill('Hello {{user}}!');
  // Nothing goes live under a label unless it is chosen.
  expect(await byRole('combobox', 'Label').inputValue()).toBe('');
  await byRole('combobox', 'Label').fill('production');
  await press('Review and publish');
  const review = dialog('Review and publish');
  await see('must send a value for user', review.getByText('callers that ask for production'));
  await press('Publish and point production to it', review);
  await exactly('heading', NAME).waitFor();
  expect((await fetched({})).version).toBe('1.0.0');
  expect((await fetched({ label: 'production' })).version).toBe('1.0.0');
});

test('new text suggests a minor version, a new variable a major one, after a review of the differences', async () => {
  await publish('Good day {{user}}!', 'More polite');
  expect((await fetched({})).version).toBe('1.1.0');
  await publish('Good day {{user}}, it is {{day}}!', 'Tells the day');
  await page.getByText('Tells the day').first().waitFor();
  expect(await fetched({})).toMatchObject({ version: '2.0.0', prompt: 'Good day {{user}}, it is {{day}}!' });
});

test('the review before publishing shows what changes, in both texts and beside them, and nothing else', async () => {
  await follow('New version');
  await template().fill('Good day {{user}},  \nit is {{time}}!');
  await page.getByLabel('Note').fill('In two lines');
  await byRole('combobox', 'Tags').fill('polite');
  await hotkey('Enter');
  await press('Review and publish');
  const changes = exactly('region', 'Template', dialog());
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
  const others = byRole('list', 'What else changes', dialog());
  expect(await others.getByRole('listitem').allTextContents()).toEqual(['Tags: none → polite']);
  await accessible();
  await hotkey('Escape');
  await byRole('button', 'Discard the draft').or(page.getByText('Draft saved')).waitFor();
  await follow(NAME);
  await menu('More actions', 'Discard the draft');
  await confirm(NAME);
  await press('Discard', dialog());
  await see('The draft is discarded.');
});

test('any two versions can be compared by URL', async () => {
  const [, promptId = ''] = /prompts\/([^/?]+)/.exec(page.url()) ?? [];
  await show(`/prompts/${promptId}/compare?from=1.0.0&to=2.0.0`);
  const changes = exactly('region', 'Template');
  const changed = async () => [
    await changes.getByRole('deletion').textContent(),
    await changes.getByRole('insertion').textContent(),
  ];
  expect(await changed()).toEqual(['Hello {{user}}!', 'Good day {{user}}, it is {{day}}!']);
  await byRole('combobox', 'From').click();
  await byRole('option', '1.1.0').click();
  await page.waitForURL(/from=1\.1\.0&to=2\.0\.0/);
  await see('Good day', changes.getByRole('deletion'));
  expect(await changed()).toEqual(['Good day {{user}}!', 'Good day {{user}}, it is {{day}}!']);
  await follow(NAME);
});

test('the page of a prompt opens what production serves, and leads to the other versions', async () => {
  await appears('region', 'Template of version 1.0.0');
  await follow('2.0.0, live as latest');
  await appears('region', 'Template of version 2.0.0');
});

test('trying a version shows the reply of the service, and marks missing variables', async () => {
  await byRole('tab', 'Try it').click();
  await page.getByLabel('user', { exact: true }).fill('Ada {{day}}');
  const compiled = byRole('region', 'Compiled text');
  const variables = { user: 'Ada {{day}}' };
  const { compiledPrompt } = await fetched({ version: '2.0.0', shouldCompile: true, variables });
  expect(await compiled.textContent()).toBe(compiledPrompt);
  await see('Without a value: day.');
});

test('test variables are kept between tabs', async () => {
  await page.getByLabel('day', { exact: true }).fill('3');
  await byRole('tab', 'Use in code').click();
  await byRole('tab', 'Try it').click();
  const compiled = byRole('region', 'Compiled text');
  expect(await compiled.textContent()).toBe('Good day Ada {{day}}, it is 3!');
});

test('setting a label that is in use shows the version that is replaced, and takes effect on the next fetch', async () => {
  await press('Set a label');
  await dialog().getByLabel('Label').fill('production');
  await choose('Version', '2.0.0', dialog());
  await see('Version 2.0.0 replaces 1.0.0', dialog().getByRole('alert'));
  await press(/the label$/, dialog());
  await gone(dialog());
  expect((await fetched({ label: 'production' })).version).toBe('2.0.0');
});

test('an older version is republished as a new one, with the number that the operator chooses', async () => {
  await follow(/^1\.0\.0 /);
  await menu('Actions for version 1.0.0', 'Publish again as a new version');
  await see('Removed variable day', dialog());
  expect(await dialog().textContent()).not.toMatch(/[Cc]allers must/);
  expect(await byRole('radio', 'Major · 3.0.0', dialog()).isChecked()).toBe(true);
  await dialog().getByText('Minor · 2.1.0').click();
  await press('Publish', dialog());
  // Before it is published, a notification of an earlier move can say "Back to 1.0.0" too.
  await page.waitForURL(/version=2\.1\.0/);
  expect(await fetched({})).toMatchObject({ version: '2.1.0', prompt: 'Hello {{user}}!' });
});

test('the history of fetches is a file with the name of the prompt', async () => {
  await follow('Usage and history');
  const download = page.waitForEvent('download');
  await press('CSV');
  expect((await download).suggestedFilename()).toBe('answers_first reply accesses.csv');
  await follow(NAME);
});

test('deleting a prompt in use requires its name and a confirmation, and can be undone', async () => {
  await press('More actions');
  await byRole('menuitem', 'Delete the prompt').hover();
  await accessible();
  await byRole('menuitem', 'Delete the prompt').click();
  const remove = byRole('button', 'Delete', dialog());
  await disabled(remove);
  await confirm(NAME, dialog());
  await remove.click();
  await see(/was fetched \d+ times/, dialog());
  await disabled(remove);
  await tick('Delete anyway: I know that it is in use.', dialog());
  await remove.click();
  await page.waitForURL(`${instance.url}/prompts`);
  expect((await instance.post('/api/prompt/get-compiled', { name: NAME })).code).toBe('prompt_not_found');
  await menu('More actions', 'Deleted prompts');
  await press(`Restore ${NAME}`);
  await exactly('heading', NAME).waitFor();
  expect((await fetched({})).version).toBe('2.1.0');
});

test('a prompt with consecutive spaces in its name can be deleted by its name', async () => {
  const name = 'two  blanks';
  await addPrompt({ name, prompt: 'Hello' });
  await show('/prompts');
  await follow('two blanks');
  await menu('More actions', 'Delete the prompt');
  // biome-ignore lint/performance/useDomNodeTextContent: the visible text counts, spaces included
  expect(await dialog().getByRole('code').innerText()).toBe(name);
  await confirm(name, dialog());
  await press('Delete', dialog());
  await page.waitForURL(`${instance.url}/prompts`);
});

test('spaces around the name of a new prompt are trimmed', async () => {
  await follow('New prompt');
  await page.getByLabel('Name').fill('  tidy ');
  await template().fill('Hello');
  await press('Create and publish');
  await exactly('heading', 'tidy').waitFor();
  // There is nothing to compare it with.
  await absent(byRole('link', 'Compare'));
  expect((await instance.post('/api/prompt/get-compiled', { name: 'tidy' })).status).toBe(200);
});

test('tags of several prompts change in a patch version of each, after what a colleague has published', async () => {
  const names = ['several/one', 'several/two'];
  for (const name of names) await addPrompt({ name, prompt: name });
  await show('/prompts?folder=several');
  await tick('Select all listed prompts');
  await press('Add tags');
  const two = (await ask('prompts-list', { q: 'several/two' })).prompts[0];
  const params = { promptId: two?.promptId ?? '' };
  await ask('versions-publish', { ...params, prompt: 'New', bump: 'minor' });
  await byRole('combobox', 'Tags', dialog()).fill('mine');
  await hotkey('Enter');
  await accessible();
  await exactly('button', 'Add', dialog()).click();
  await see('The tags of 2 prompts are saved.');
  const found = names.map((name) => getCompiled({ name }));
  expect(await Promise.all(found)).toMatchObject([
    { version: '1.0.1', prompt: 'several/one', tags: ['mine'] },
    { version: '1.1.1', prompt: 'New', tags: ['mine'] },
  ]);
});

test('a duplicate begins with the latest content under a name of its own', async () => {
  await follow(/two$/);
  await menu('More actions', 'Duplicate');
  await press('Create and publish');
  await exactly('heading', 'several/two-copy').waitFor();
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
  await show(`/prompts/${prompt.promptId}`);
  // The tags of the version, and its note here and in the list of versions.
  for (const place of [0, 1, 2]) await page.getByText(shown, { exact: true }).nth(place).waitFor();
  await byRole('tab', 'Use in code').click();
  await see(shown, byRole('region', 'the Python snippet'));
  const params = { promptId: prompt.promptId };
  await ask('versions-publish', { ...params, ...content, prompt: hidden, model: hidden, bump: 'major' });
  await show(`/prompts/${prompt.promptId}/compare`);
  await appears('list', 'What else changes');
  expect(await byRole('insertion').allTextContents()).toEqual([shown, shown]);
  await show('/prompts?q=hidden');
  await rowWith(name).getByText(shown, { exact: true }).waitFor();
  expect(await page.locator('#root, [data-portal]').allTextContents()).not.toContainEqual(
    expect.stringContaining(hidden),
  );
});

test('a compiled text leads to the version that it comes from, with its values', async () => {
  const prompt = 'You translate into {{language}}, sentence by sentence.';
  const body = { name: 'translate', prompt, label: 'production' };
  const { promptId } = await addPrompt(body);
  await show('/prompts');
  await menu('More actions', 'Find a compiled text');
  await dialog()
    .getByLabel('A compiled text, or a content hash')
    .fill('You translate into Welsh, sentence by sentence.');
  await exactly('button', 'Find', dialog()).click();
  await see(/^1 version found in \d+ prompts?$/, dialog());
  await see('language = Welsh', dialog());
  await accessible();
  await follow('translate 1.0.0', dialog());
  await page.waitForURL(`${instance.url}/prompts/${promptId}?version=1.0.0`);
});

describe('a search in texts', () => {
  const NAMES = Array.from({ length: 7 }, (_, n) => `large/${n}`);
  const isNextPart = (url: URL) => url.pathname === '/api/admin/prompts' && url.searchParams.has('cursor');
  const stop = () => exactly('button', 'Stop');
  const rows = () => byRole('table', 'Prompts').getByRole('link').count();

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
    await show(`/prompts?q=${sought}&texts=yes&folder=large`);
    await stop().click();
    await gone(stop());
    // The part that is on its way still arrives.
    const arrived = page.waitForResponse((response) => isNextPart(new URL(response.url())));
    held.resolve();
    await arrived;
    await page.waitForTimeout(1_000);
    expect(parts).toBe(1);
    await see(/^\d prompts found among the first [3-6] prompts$/);
    await appears('button', 'Show more');
    await page.unroute(isNextPart);
  });

  test('continues by itself until everything is found, with the line', async () => {
    await show('/prompts?q=zebra&texts=yes&folder=large');
    await page.reload();
    await exactly('link', '6').waitFor();
    await gone(stop());
    expect(await rows()).toBe(NAMES.length);
    await page.getByText('Found in: 1.0.0: zebra').last().waitFor();
    await accessible();
  });
});
