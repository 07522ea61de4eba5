import { text as textOf } from 'node:stream/consumers';
import { newProject } from '../../clients/typescript/cli/git/project.ts';
import { ask } from '../../support/admin.ts';
import { scrollsSideways } from '../../support/browser/screen-checks.ts';
import {
  absent,
  accessible,
  addPrompt,
  arrive,
  byRole,
  choose,
  dialog,
  disabled,
  enter,
  exactly,
  follow,
  instance,
  openSite,
  page,
  press,
  see,
  show,
  signedIn,
  tick,
} from '../../support/browser/site.ts';

openSite();

const NAME = 'support/answer';

beforeAll(() => arrive({ groups: ['editor'], path: '/prompts/new' }));

const message = (name: string) => page.getByRole('listitem', { name });
const text = (name: string) => message(name).getByRole('textbox', { name: 'Content' });

const stored = async (version: string) => {
  const { prompts } = await ask('prompts-list');
  const params = { promptId: prompts[0]?.promptId ?? '', version };
  return (await ask('versions-get', params)).version;
};

test('a chat is written with the keyboard, its messages move and keep the focus', async () => {
  await enter('Name', NAME);
  await page.getByText('Chat', { exact: true }).click();
  // A chat begins with one of each.
  await message('Message 2: user').waitFor();
  await press('Delete message 1');
  await text('Message 1: user').fill('{{question}}');
  await press('Add a message');
  await page.keyboard.type('You are {{tone}}.');
  await choose('Role of message 2', 'system');
  await text('Message 2: system').press('Control+Shift+ArrowUp');
  await see('Moved to position 1 of 2.');
  await page.keyboard.type(' ');
  expect(await text('Message 1: system').textContent()).toContain('You are {{tone}}.');
  await press('Add a placeholder for messages');
  await byRole('button', 'Move message 3 up').press('Enter');
  await tick('Optional', message('Message 2: placeholder history'));
});

test('the variables of the messages are declared in a table, and what does not fit is not published', async () => {
  await page.getByLabel('tone is required').uncheck();
  await page.getByLabel('Default of tone').fill('friendly');
  const allowed = byRole('combobox', 'Allowed values of tone');
  for (const value of ['formal', 'friendly']) {
    await allowed.fill(value);
    await allowed.press('Enter');
  }
  await page.getByLabel('Default of tone').fill('rude');
  await see('The default of the variable "tone" does not fit');
  await disabled(byRole('button', 'Create and publish'));
  await page.getByLabel('Default of tone').fill('friendly');
  await page.getByText('Model, output and tools').click();
  await page
    .getByLabel(/^Configuration, output schema/)
    .fill(
      'config: {temperature: 0.2}\ntoolDefs: [{name: search, description: Finds, inputSchema: {type: object, properties: {q: {type: string}}}}]',
    );
  await accessible();
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await scrollsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 800 });
  await press('Create and publish');
  await exactly('heading', NAME).waitFor();
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
  const variables = byRole('table', 'Variables');
  expect(await variables.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual([
    ...['tone', 'string', 'no', 'friendly', 'formal, friendly'],
  ]);
  expect(await byRole('term').allTextContents()).toEqual(['temperature', 'q']);
  expect(await byRole('definition').allTextContents()).toEqual(['0.2', 'string']);
  await accessible();
});

test('a chat is tried with its defaults, a choice, and a list of messages', async () => {
  await byRole('tab', 'Try it').click();
  const compiled = byRole('list', 'Compiled messages');
  await see('You are friendly.', compiled);
  await choose('tone', 'formal');
  await enter('history', '[{"role":"user","content":"{{tone}}"}]');
  await enter('question', 'Why?');
  await see('You are formal.', compiled);
  await see('{"role":"user","content":"{{tone}}"}', compiled);
  await see('Why?', compiled);
  await accessible();
});

test('the code for a chat uses the adapter of the chosen library', async () => {
  await byRole('tab', 'Use in code').click();
  await choose('Library', 'Anthropic');
  await see('to_anthropic(prompt');
});

test('messages are pasted as JSON, and the review says what breaks', async () => {
  await follow('New version');
  await press('Edit or paste as JSON');
  const json = byRole('textbox', 'Messages as JSON');
  await json.fill('[{"role": "user"');
  await see('The JSON of the messages is not saved');
  await json.fill(
    JSON.stringify([
      { role: 'system', content: 'You are {{tone}} and brief.' },
      { type: 'placeholder', name: 'history' },
      { role: 'user', content: '{{question}} {{locale}}' },
    ]),
  );
  await press('Show as messages');
  await text('Message 3: user').waitFor();
  await see('Draft saved');
  await press('Review and publish');
  await see('New variable locale: callers must send a value.', dialog());
  await see('Callers must send the list of messages history.', dialog());
  const first = byRole('region', 'Message 1: system', dialog());
  expect(await first.getByRole('deletion').textContent()).toBe('You are {{tone}}.·');
  expect(await first.getByRole('insertion').textContent()).toBe('You are {{tone}} and brief.');
  await see('Message 2: placeholder history, optional → placeholder history', dialog());
  await press('Publish 2.0.0', dialog());
  await see('Version 2.0.0 is published');
});

test('versions of a chat are compared message by message, in the same view', async () => {
  await follow('Compare');
  const last = byRole('region', 'Message 3: user');
  expect(await last.getByRole('deletion').textContent()).toBe('{{question}}');
  expect(await last.getByRole('insertion').textContent()).toBe('{{question}} {{locale}}');
});

test('another type of a prompt is published only after a confirmation', async () => {
  await follow(NAME);
  await follow('New version');
  await page.getByText('Text', { exact: true }).click();
  await press('Review and publish');
  const publish = byRole('button', 'Publish 3.0.0', dialog());
  await publish.waitFor();
  await disabled(publish);
  await tick('Change the type of this prompt to text', dialog());
  await publish.click();
  await see('Version 3.0.0 is published');
  expect(await stored('3.0.0')).toMatchObject({ type: 'text' });
});

const publish = async (name: string, bodies: readonly object[]) => {
  const [first, ...rest] = bodies;
  const { promptId } = await addPrompt({ name, ...first });
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
  await show(`/prompts/${promptId}/new-version`);
  const fragment = byRole('row', 'tone string no kind');
  await fragment.waitFor();
  const include = async (fragment: string) => {
    const field = byRole('combobox', 'Fragments');
    await field.press('Backspace');
    await field.fill(fragment);
    await field.press('Enter');
  };
  await include('shared/tone@9.0.0');
  await see('names "shared/tone@9.0.0", but there is no such version');
  await absent(page.getByText('Removed variable'));
  await include('shared/tone@1.1.0');
  await see('New variable mood: callers must send a value.');
  await press('Preview');
  await exactly('textbox', 'mood').fill('calm');
  await see('calm. Hello');
  await see('Draft saved');
  await press('Review and publish');
  await see('mood', byRole('region', 'With fragments', dialog()).getByRole('insertion'));
  await see('New variable mood: callers must send a value.', dialog());
  await absent(dialog().getByText('Removed variable'));
  await press('Publish 2.0.0', dialog());
  await see('Version 2.0.0 is published');
});

test('while a fragment cannot be read, the editor says so, and saves the draft; the review reads it again', async () => {
  await publish('shared/mood', [{ prompt: 'Be calm.' }]);
  const body = { prompt: '{{> "shared/mood"}} Goodbye!', includes: ['shared/mood@1.0.0'] };
  const promptId = await publish('farewell', [body]);
  await page.route('**/api/admin/effects', (route) => route.fulfill({ status: 429, body: '{}' }));
  await show(`/prompts/${promptId}/new-version`);
  const field = byRole('combobox', 'Fragments');
  await see('Too many requests');
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await byRole('textbox', 'Template').press('Control+End');
  await page.keyboard.type(' Until then.');
  await see('Draft saved');
  const { draft } = await ask('prompts-get', { promptId });
  expect(draft).toMatchObject({ ...body, prompt: `${body.prompt} Until then.` });
  await page.unroute('**/api/admin/effects');
  await press('Review and publish');
  await press('Publish 1.1.0', dialog());
  await see('Version 1.1.0 is published');
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
  const viewer = await signedIn({ groups: ['viewer'], path: `/prompts/${promptId}` });
  await press('Actions for version 1.0.0', viewer.page);
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
