import { text as textOf } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { newProject } from '../../clients/typescript/cli/git/project.ts';
import { ask } from '../../support/admin.ts';
import { show, type Visit, visit } from '../../support/browser/browser.ts';
import { scrollsSideways, violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

openSite();

const NAME = 'support/answer';
let editor: Visit;
let page: Page;

beforeAll(async () => {
  editor = await visit(browser, instance, { groups: ['editor'], path: '/prompts/new' });
  page = editor.page;
});

const message = (name: string) => page.getByRole('listitem', { name });
const text = (name: string) => message(name).getByRole('textbox', { name: 'Content' });

/** Chooses an option of a select. */
const choose = async (label: string, option: string): Promise<void> => {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

const stored = async (version: string) => {
  const { prompts } = await ask('prompts-list');
  const params = { promptId: prompts[0]?.promptId ?? '', version };
  return (await ask('versions-get', params)).version;
};

test('a chat is written with the keyboard, its messages move and keep the focus', async () => {
  await page.getByRole('textbox', { name: 'Name' }).fill(NAME);
  await page.getByText('Chat', { exact: true }).click();
  // A chat begins with one of each.
  await message('Message 2: user').waitFor();
  await page.getByRole('button', { name: 'Delete message 1' }).click();
  await text('Message 1: user').fill('{{question}}');
  await page.getByRole('button', { name: 'Add a message' }).click();
  await page.keyboard.type('You are {{tone}}.');
  await choose('Role of message 2', 'system');
  await text('Message 2: system').press('Control+Shift+ArrowUp');
  await page.getByText('Moved to position 1 of 2.').waitFor();
  await page.keyboard.type(' ');
  expect(await text('Message 1: system').textContent()).toContain('You are {{tone}}.');
  await page.getByRole('button', { name: 'Add a placeholder for messages' }).click();
  await page.getByRole('button', { name: 'Move message 3 up' }).press('Enter');
  await message('Message 2: placeholder history').getByLabel('Optional').check();
});

test('the variables of the messages are declared in a table, and what does not fit is not published', async () => {
  await page.getByLabel('tone is required').uncheck();
  await page.getByLabel('Default of tone').fill('friendly');
  const allowed = page.getByRole('combobox', { name: 'Allowed values of tone' });
  for (const value of ['formal', 'friendly']) {
    await allowed.fill(value);
    await allowed.press('Enter');
  }
  await page.getByLabel('Default of tone').fill('rude');
  await page.getByText('The default of the variable "tone" does not fit').waitFor();
  expect(await page.getByRole('button', { name: 'Create and publish' }).isDisabled()).toBe(true);
  await page.getByLabel('Default of tone').fill('friendly');
  await page.getByText('Model, output and tools').click();
  await page
    .getByLabel(/^Configuration, output schema/)
    .fill(
      'config: {temperature: 0.2}\ntoolDefs: [{name: search, description: Finds, inputSchema: {type: object, properties: {q: {type: string}}}}]',
    );
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await scrollsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Create and publish' }).click();
  await page.getByRole('heading', { name: NAME, exact: true }).waitFor();
  expect(await stored('1.0.0')).toMatchObject({
    type: 'chat',
    messages: [
      { role: 'system' },
      { type: 'placeholder', name: 'history', optional: true },
      { role: 'user', content: '{{question}}' },
    ],
    variables: { tone: { type: 'string', enum: ['formal', 'friendly'], default: 'friendly' } },
    config: { temperature: 0.2 },
  });
});

test('a version shows its variables in the same table, and model and tools as facts', async () => {
  const variables = page.getByRole('table', { name: 'Variables' });
  expect(await variables.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual([
    ...['tone', 'string', 'no', 'friendly', 'formal, friendly'],
  ]);
  expect(await page.getByRole('term').allTextContents()).toEqual(['temperature', 'q']);
  expect(await page.getByRole('definition').allTextContents()).toEqual(['0.2', 'string']);
  expect(await violationsInBothSchemes(page)).toEqual([]);
});

test('a chat is tried with its defaults, a choice, and a list of messages', async () => {
  await page.getByRole('tab', { name: 'Try it' }).click();
  const compiled = page.getByRole('list', { name: 'Compiled messages' });
  await compiled.getByText('You are friendly.').waitFor();
  await choose('tone', 'formal');
  await page.getByRole('textbox', { name: 'history' }).fill('[{"role":"user","content":"{{tone}}"}]');
  await page.getByRole('textbox', { name: 'question' }).fill('Why?');
  await compiled.getByText('You are formal.').waitFor();
  await compiled.getByText('{"role":"user","content":"{{tone}}"}').waitFor();
  await compiled.getByText('Why?').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
});

test('the code for a chat uses the adapter of the chosen library', async () => {
  await page.getByRole('tab', { name: 'Use in code' }).click();
  await choose('Library', 'Anthropic');
  await page.getByText('to_anthropic(prompt').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
});

test('messages are pasted as JSON, and the review says what breaks', async () => {
  await page.getByRole('link', { name: 'New version' }).click();
  await page.getByRole('button', { name: 'Edit or paste as JSON' }).click();
  const json = page.getByRole('textbox', { name: 'Messages as JSON' });
  await json.fill('[{"role": "user"');
  await page.getByText('The JSON of the messages is not saved').waitFor();
  await json.fill(
    JSON.stringify([
      { role: 'system', content: 'You are {{tone}} and brief.' },
      { type: 'placeholder', name: 'history' },
      { role: 'user', content: '{{question}} {{locale}}' },
    ]),
  );
  await page.getByRole('button', { name: 'Show as messages' }).click();
  await text('Message 3: user').waitFor();
  await page.getByText('Draft saved').waitFor();
  await page.getByRole('button', { name: 'Review and publish' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('New variable locale: callers must send a value.').waitFor();
  await dialog.getByText('Callers must send the list of messages history.').waitFor();
  const first = dialog.getByRole('region', { name: 'Message 1: system' });
  expect(await first.getByRole('deletion').textContent()).toBe('You are {{tone}}.·');
  expect(await first.getByRole('insertion').textContent()).toBe('You are {{tone}} and brief.');
  await dialog.getByText('Message 2: placeholder history, optional → placeholder history').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Publish 2.0.0' }).click();
  await page.getByText('Version 2.0.0 is published').waitFor();
});

test('versions of a chat are compared message by message, in the same view', async () => {
  await page.getByRole('link', { name: 'Compare' }).click();
  const last = page.getByRole('region', { name: 'Message 3: user' });
  expect(await last.getByRole('deletion').textContent()).toBe('{{question}}');
  expect(await last.getByRole('insertion').textContent()).toBe('{{question}} {{locale}}');
  expect(await violationsInBothSchemes(page)).toEqual([]);
});

test('another type of a prompt is published only after a confirmation', async () => {
  await page.getByRole('link', { name: NAME }).click();
  await page.getByRole('link', { name: 'New version' }).click();
  await page.getByText('Text', { exact: true }).click();
  await page.getByRole('button', { name: 'Review and publish' }).click();
  const dialog = page.getByRole('dialog');
  const publish = dialog.getByRole('button', { name: 'Publish 3.0.0' });
  await publish.waitFor();
  expect(await publish.isDisabled()).toBe(true);
  await dialog.getByLabel('Change the type of this prompt to text').check();
  await publish.click();
  await page.getByText('Version 3.0.0 is published').waitFor();
  expect(await stored('3.0.0')).toMatchObject({ type: 'text' });
});

const publish = async (name: string, bodies: readonly object[]) => {
  const [first, ...rest] = bodies;
  const { promptId } = (await ask('prompts-create', { name, ...first })).prompt;
  for (const body of rest) await ask('versions-publish', { promptId, ...body });
  return promptId;
};

test('the editor and the review know the variables and the changes of fragments', async () => {
  await publish('shared/tone', [
    { prompt: 'Be {{tone}}.', variables: { tone: { type: 'string', default: 'kind' } } },
    { prompt: 'Be {{tone}} and {{mood}}.', bump: 'minor' },
  ]);
  const includes = ['shared/tone@1.0.0'];
  const promptId = await publish('welcome', [{ prompt: '{{> "shared/tone"}} Hello {{user}}!', includes }]);
  await show(page, `/prompts/${promptId}/new-version`);
  const fragment = page.getByRole('row', { name: 'tone string no kind' });
  await fragment.waitFor();
  const include = async (fragment: string) => {
    const field = page.getByRole('combobox', { name: 'Fragments' });
    await field.press('Backspace');
    await field.fill(fragment);
    await field.press('Enter');
  };
  await include('shared/tone@9.0.0');
  await page.getByText('names "shared/tone@9.0.0", but there is no such version').waitFor();
  expect(await page.getByText('Removed variable').count()).toBe(0);
  await include('shared/tone@1.1.0');
  await page.getByText('New variable mood: callers must send a value.').waitFor();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('textbox', { name: 'mood', exact: true }).fill('calm');
  await page.getByText('calm. Hello').waitFor();
  await page.getByText('Draft saved').waitFor();
  await page.getByRole('button', { name: 'Review and publish' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('region', { name: 'With fragments' })
    .getByRole('insertion')
    .getByText('mood')
    .waitFor();
  await dialog.getByText('New variable mood: callers must send a value.').waitFor();
  expect(await dialog.getByText('Removed variable').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Publish 2.0.0' }).click();
  await page.getByText('Version 2.0.0 is published').waitFor();
});

test('while a fragment cannot be read, the editor says so, and saves the draft; the review reads it again', async () => {
  await publish('shared/mood', [{ prompt: 'Be calm.' }]);
  const body = { prompt: '{{> "shared/mood"}} Goodbye!', includes: ['shared/mood@1.0.0'] };
  const promptId = await publish('farewell', [body]);
  await page.route('**/api/admin/effects', (route) => route.fulfill({ status: 429, body: '{}' }));
  await show(page, `/prompts/${promptId}/new-version`);
  const field = page.getByRole('combobox', { name: 'Fragments' });
  await page.getByText('Too many requests').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Template' }).press('Control+End');
  await page.keyboard.type(' Until then.');
  await page.getByText('Draft saved').waitFor();
  const { draft } = await ask('prompts-get', { promptId });
  expect(draft).toMatchObject({ ...body, prompt: `${body.prompt} Until then.` });
  await page.unroute('**/api/admin/effects');
  await page.getByRole('button', { name: 'Review and publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish 1.1.0' }).click();
  await page.getByText('Version 1.1.0 is published').waitFor();
});

test('everyone can download a version as the file that "cuevault pull" writes', async () => {
  const promptId = await publish('support/café', [
    {
      type: 'chat',
      messages: [
        { role: 'system', content: '{{> "shared/tone"}} It is 12:30, "{{day}}".\n\n- no: yes' },
        { type: 'placeholder', name: 'history', optional: true },
        { role: 'assistant', content: 'Ask.' },
        { role: 'user', content: '{{question}}' },
      ],
      variables: { day: { type: 'string', enum: ['Mon', 'no'], default: 'no' } },
      includes: ['shared/tone@1.1.0'],
      model: 'acme/large',
      config: { temperature: 0.2, stop: ['#', '012'] },
      output: { schema: { type: 'object', properties: { answer: { type: 'string' } } } },
      tools: [{ name: 'look_up', inputSchema: { type: 'object', properties: { id: { type: 'integer' } } } }],
      tags: ['support', 'café'],
      metaProperties: { owner: 'Zoë', on: null },
      note: 'First: "draft"',
    },
  ]);
  const viewer = await visit(browser, instance, { groups: ['viewer'], path: `/prompts/${promptId}` });
  await viewer.page.getByRole('button', { name: 'Actions for version 1.0.0' }).click();
  expect(await viewer.page.getByRole('menuitem').allTextContents()).toEqual(['Download as .prompt']);
  const [file] = await Promise.all([
    viewer.page.waitForEvent('download'),
    viewer.page.getByRole('menuitem').click(),
  ]);
  expect(file.suggestedFilename()).toBe('caf%C3%A9.prompt');
  const { apiKey } = await instance.newKey({ name: 'git', permissions: ['publish'] });
  const project = newProject(instance, apiKey, 'acme/app');
  project.write('local', 'Only here.\n');
  expect(await project.cuevault('pull', 'prompts', '--all')).toMatchObject({ code: 0, err: '' });
  expect(await textOf(await file.createReadStream())).toBe(project.read('support/caf%C3%A9'));
  await viewer.close();
});
