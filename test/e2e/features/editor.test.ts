import { promptsTry } from '../../../contract/endpoints/prompts.ts';
import { ask } from '../../support/admin.ts';
import {
  absent,
  accessible,
  addPrompt,
  arrive,
  byRole,
  dialog,
  enter,
  exactly,
  follow,
  gone,
  headed,
  hotkey,
  instance,
  menu,
  openSite,
  page,
  press,
  see,
  show,
  signedIn,
  tick,
} from '../../support/browser/site.ts';
import { startModel } from '../../support/model.ts';
import { uniqueName } from '../../support/unique-name.ts';

const model = await startModel();
openSite({ sample: true, model: { url: model.url, key: undefined } });
afterAll(() => model.stop());

beforeAll(async () => {
  await arrive({ path: '/prompts' });
  await follow('greeting');
});

const template = () => byRole('textbox', 'Template');
const user = () => exactly('textbox', 'user');

test('values to try a prompt with are kept in the page for its drafts, and nowhere in storage', async () => {
  await byRole('tab', 'Try it').click();
  await user().fill('Ada Lovelace');
  await follow('New version');
  await template().fill('Dear {{user}}, {{ a b }} and {x} stay.');
  await press('Preview');
  await see('Dear Ada Lovelace, {{ a b }} and {x} stay.');
  const kept = await page.evaluate<string>(
    'JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + location.href',
  );
  expect(kept).not.toContain('Lovelace');
});

test('a draft is run on a model beside the live version, and the answers are text', async () => {
  const run = byRole('region', 'Run on a model');
  const message = { role: 'assistant', content: '<img src=x onerror=alert(1)>\nDear Ada' };
  const usage = { prompt_tokens: 1_200, completion_tokens: 4 };
  model.answer({ status: 200, body: { choices: [{ message, finish_reason: 'stop' }], usage } });
  await enter('Model', 'stand-in', run);
  await see('The compiled text leaves Cuevault for this model', run);
  await tick(/^Also the live version/, run);
  await exactly('button', 'Run', run).click();
  await run.getByText('<img src=x onerror=alert(1)> Dear Ada').first().waitFor();
  expect(await run.getByText('1,200 tokens sent, 4 answered, in').count()).toBe(2);
  await headed('This text', run);
  await headed(/^Live: /, run);
  const texts = model.requests.map(({ body }) => (body.messages as { content: string }[])[0]?.content);
  expect(texts.find((each) => each?.startsWith('Dear Ada Lovelace, {{ a b }}'))).toBeDefined();
  expect(texts.find((each) => !each?.startsWith('Dear') && each?.includes('Ada Lovelace'))).toBeDefined();
  await accessible();
  await page.route(`**${promptsTry.route?.path}`, (route) =>
    route.request().postData()?.includes('Dear')
      ? route.fallback()
      : route.fulfill({ status: 429, body: JSON.stringify({ err: 'Too often', res: null }) }),
  );
  await exactly('button', 'Run', run).click();
  await see('Too often', run);
  expect(await run.getByRole('heading', { level: 4 }).allInnerTexts()).toEqual(['This text']);
  expect(await run.getByText('1,200 tokens sent, 4 answered, in').count()).toBe(1);
  await page.unroute(`**${promptsTry.route?.path}`);
  model.answer({ status: 401, body: { error: 'No such key' } });
  await exactly('button', 'Run', run).click();
  await run.getByText('status 401').first().waitFor();
});

test('the editor gives the size, an estimate of tokens, and braces that are not placeholders', async () => {
  await see('38 characters, 38 bytes, about 10 tokens');
  await see('Not placeholders, served as written: {{ a b }}, {x}.');
});

test('Ctrl+F searches the template', async () => {
  await template().click();
  await hotkey('Control+f');
  await byRole('textbox', 'Find').pressSequentially('stay');
  await hotkey('Enter');
  await page.locator('.cm-searchMatch-selected').filter({ hasText: 'stay' }).waitFor();
  await accessible();
  await hotkey('Escape');
  await gone(byRole('textbox', 'Find'));
});

test('Ctrl+Enter opens the review and leaves the template as it is', async () => {
  await template().click();
  await hotkey('Control+Enter');
  await dialog('Review and publish').waitFor();
  await hotkey('Escape');
  expect(await template().textContent()).toBe('Dear {{user}}, {{ a b }} and {x} stay.');
});

test('Ctrl+Enter in a dialog above the editor publishes nothing', async () => {
  await menu(/admin@example.com/, 'Keyboard shortcuts');
  await dialog('Keyboard shortcuts').waitFor();
  await hotkey('Control+Enter');
  await hotkey('Escape');
  await gone(dialog('Keyboard shortcuts'));
  await absent(dialog());
});

const styleOf = (text: string, property: 'color' | 'fontWeight') =>
  page.evaluate<string>(`getComputedStyle([...document.querySelectorAll('.cm-line, .cm-line span')]
    .findLast((part) => part.textContent === ${JSON.stringify(text)})).${property}`);

test('Markdown and JSON are highlighted, and placeholders keep their mark', async () => {
  await template().fill('# Rules\n\nPlain\n\n\u200b\n\n```json\n{"count": 3, "to": "{{user}}"}\n```\n');
  await page.locator('.cm-line span', { hasText: /^"count"$/ }).waitFor();
  expect(await styleOf(' Rules', 'fontWeight')).toBe('700');
  const [plain, property, number] = await Promise.all(
    ['Plain', '"count"', '3'].map((part) => styleOf(part, 'color')),
  );
  expect(new Set([plain, property, number, await styleOf('\\u200b', 'color')]).size).toBe(4);
  expect(await page.locator('.cm-cue-placeholder').allTextContents()).toEqual(['{{user}}']);
  await accessible();
  await template().fill('{"answer": null}');
  await page.locator('.cm-line span', { hasText: /^null$/ }).waitFor();
  expect(await styleOf('"answer"', 'color')).toBe(property);
});

test('example values are saved with the prompt, and everyone who opens it starts with them', async () => {
  await template().fill('Dear {{user}}');
  await press('Save as examples');
  await see('The example values are saved.');
  await see(/Examples saved .* by admin@example\.com/);
  const path = new URL(page.url()).pathname.replace('/new-version', '?tab=try&version=1.0.0');
  const viewer = await signedIn({ groups: ['viewer'], path });
  const compiled = byRole('region', 'Compiled text', viewer.page);
  await see('Hello Ada Lovelace!', compiled);
  await exactly('textbox', 'user', viewer.page).fill('Eve');
  await absent(byRole('button', 'Save as examples', viewer.page));
  await follow(/^1\.1\.0 /, viewer.page);
  await see('Hello Eve, welcome to', compiled);
  await press('Use the saved examples', viewer.page);
  await see('Hello Ada Lovelace, welcome to', compiled);
  await viewer.close();
});

const openNew = async (prompt: string) => {
  const body = { name: uniqueName('prompt'), prompt };
  const { promptId } = await addPrompt(body);
  await show(`/prompts/${promptId}/new-version`);
  await exactly('link', body.name).waitFor();
  await template().waitFor();
  return async () => {
    await press('Publish 1.1.0');
    await page.waitForURL(/version=1\.1\.0/);
    const { version } = await ask('versions-get', { promptId, version: '1.1.0' });
    return version.prompt;
  };
};

test('a part of the version that is chosen before the service has proposed one stays chosen', async () => {
  const held = Promise.withResolvers<void>();
  await page.route('**/effects', (route) => held.promise.then(() => route.continue()));
  await openNew('Hello');
  await template().fill('Hello {{user}}');
  await page.getByText('Minor · 1.1.0').click();
  held.resolve();
  await see('Callers of 1.0.0 may break');
  expect(await byRole('radio', 'Minor · 1.1.0').isChecked()).toBe(true);
  await page.unroute('**/effects');
});

test('conditions and three braces have a hint where they are typed, and are no variables', async () => {
  await openNew('x');
  await template().fill('{{#if vip}}Dear {{{name}}}{{else}}Hi{{/if}} {{name}}');
  await see('Cuevault has no conditions or loops; this is sent as text: {{#if vip}}, {{else}}, {{/if}}.');
  await see('Three braces: the outer ones are sent as text: {{{name}}}. Write {{name}}.');
  const names = byRole('table', 'Variables').locator('tbody td:first-child:not([colspan])');
  expect(await names.allInnerTexts()).toEqual(['name']);
});

test('characters that would hide are shown in the editor and in the review, and published as they are', async () => {
  const hidden = 'a\u2028b\u000bc\u0085d\u202ee\u200bf';
  const shown = 'a\\u2028b\\u000bc\\u0085d\\u202ee\\u200bf';
  const publish = await openNew(`Old ${hidden}`);
  expect(await template().textContent()).toBe(`Old ${shown}`);
  await template().press('ControlOrMeta+Home');
  await page.keyboard.type('New ');
  await press('Review and publish');
  const changes = byRole('region', 'Template', dialog());
  await changes.waitFor();
  expect(await changes.locator('del, ins').allTextContents()).toEqual([`Old ${shown}`, `New Old ${shown}`]);
  expect(await publish()).toBe(`New Old ${hidden}`);
});

test.each([
  ['LF', 'one\ntwo\n'],
  ['CRLF', 'one\r\ntwo\r\n'],
])('what is pasted into a text with %s gets its line ends', async (_ends, prompt) => {
  const publish = await openNew(prompt);
  await template().press('ControlOrMeta+End');
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'three\\r\\nfour\\nfive\\rsix');
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
  }`);
  await press('Review and publish');
  await byRole('region', 'Template', dialog()).waitFor();
  await absent(page.getByText('Line ends'));
  const lines = 'three four five six'.split(' ').join(prompt.includes('\r') ? '\r\n' : '\n');
  expect(await publish()).toBe(prompt + lines);
});

test('the command palette opens above the editor, and closing its dialog asks nothing about the text in the editor', async () => {
  await instance.newKey({ name: 'nightly' });
  await show('/prompts/new');
  await enter('Template', 'Typed and nowhere saved');
  await hotkey('Control+k');
  await byRole('combobox', /^Go to a screen/).fill('rotate nightly');
  await byRole('option', /^Rotate nightly/).click();
  await press('Cancel', dialog('Rotate nightly'));
  await gone(dialog('Rotate nightly'));
  await absent(dialog());
  expect(await template().textContent()).toBe('Typed and nowhere saved');
});
