import type { Page } from 'playwright-core';
import { promptsTry } from '../../../contract/endpoints/prompts.ts';
import { ask } from '../../support/admin.ts';
import { type Visit, visit } from '../../support/browser/browser.ts';
import { violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { startModel } from '../../support/model.ts';
import { uniqueName } from '../../support/unique-name.ts';

let editor: Visit;
let page: Page;

const model = await startModel();
openSite({ sample: true, model: { url: model.url, key: undefined } });
afterAll(() => model.stop());

beforeAll(async () => {
  editor = await visit(browser, instance, { path: '/prompts' });
  page = editor.page;
  await page.getByRole('link', { name: 'greeting' }).click();
});

const template = () => page.getByRole('textbox', { name: 'Template' });
const user = () => page.getByRole('textbox', { name: 'user', exact: true });

test('values to try a prompt with are kept in the page for its drafts, and nowhere in storage', async () => {
  await page.getByRole('tab', { name: 'Try it' }).click();
  await user().fill('Ada Lovelace');
  await page.getByRole('link', { name: 'New version' }).click();
  await template().fill('Dear {{user}}, {{ a b }} and {x} stay.');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('Dear Ada Lovelace, {{ a b }} and {x} stay.').waitFor();
  const kept = await page.evaluate<string>(
    'JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + location.href',
  );
  expect(kept).not.toContain('Lovelace');
});

test('a draft is run on a model beside the live version, and the answers are text', async () => {
  const run = page.getByRole('region', { name: 'Run on a model' });
  const message = { role: 'assistant', content: '<img src=x onerror=alert(1)>\nDear Ada' };
  const usage = { prompt_tokens: 1_200, completion_tokens: 4 };
  model.answer({ status: 200, body: { choices: [{ message, finish_reason: 'stop' }], usage } });
  await run.getByRole('textbox', { name: 'Model' }).fill('stand-in');
  await run.getByText('The compiled text leaves Cuevault for this model').waitFor();
  await run.getByRole('checkbox', { name: /^Also the live version/ }).check();
  await run.getByRole('button', { name: 'Run', exact: true }).click();
  await run.getByText('<img src=x onerror=alert(1)> Dear Ada').first().waitFor();
  expect(await run.getByText('1,200 tokens sent, 4 answered, in').count()).toBe(2);
  await run.getByRole('heading', { name: 'This text' }).waitFor();
  await run.getByRole('heading', { name: /^Live: / }).waitFor();
  const texts = model.requests.map(({ body }) => (body.messages as { content: string }[])[0]?.content);
  expect(texts.find((each) => each?.startsWith('Dear Ada Lovelace, {{ a b }}'))).toBeDefined();
  expect(texts.find((each) => !each?.startsWith('Dear') && each?.includes('Ada Lovelace'))).toBeDefined();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.route(`**${promptsTry.route?.path}`, (route) =>
    route.request().postData()?.includes('Dear')
      ? route.fallback()
      : route.fulfill({ status: 429, body: JSON.stringify({ err: 'Too often', res: null }) }),
  );
  await run.getByRole('button', { name: 'Run', exact: true }).click();
  await run.getByText('Too often').waitFor();
  expect(await run.getByRole('heading', { level: 4 }).allInnerTexts()).toEqual(['This text']);
  expect(await run.getByText('1,200 tokens sent, 4 answered, in').count()).toBe(1);
  await page.unroute(`**${promptsTry.route?.path}`);
  model.answer({ status: 401, body: { error: 'No such key' } });
  await run.getByRole('button', { name: 'Run', exact: true }).click();
  await run.getByText('status 401').first().waitFor();
});

test('the editor gives the size, an estimate of tokens, and braces that are not placeholders', async () => {
  await page.getByText('38 characters, 38 bytes, about 10 tokens').waitFor();
  await page.getByText('No placeholder, served as written: {{ a b }}, {x}.').waitFor();
});

const openNew = async (prompt: string) => {
  const body = { name: uniqueName('prompt'), prompt };
  const { promptId } = (await ask('prompts-create', body)).prompt;
  const opened = await visit(browser, instance, { path: `/prompts/${promptId}/new-version` });
  const text = opened.page.getByRole('textbox', { name: 'Template' });
  await text.waitFor();
  const publish = async () => {
    await opened.page.getByRole('button', { name: 'Publish 1.1.0' }).click();
    await opened.page.waitForURL(/version=1\.1\.0/);
    const { version } = await ask('versions-get', { promptId, version: '1.1.0' });
    return version.prompt;
  };
  return { ...opened, text, publish };
};

test('conditions and three braces have a hint where they are typed, and are no variables', async () => {
  const { page, text, close } = await openNew('x');
  await text.fill('{{#if vip}}Dear {{{name}}}{{else}}Hi{{/if}} {{name}}');
  await page
    .getByText('Cuevault has no conditions and loops; this is sent as text: {{#if vip}}, {{else}}, {{/if}}.')
    .waitFor();
  await page
    .getByText('Three braces: the outer ones are sent as text: {{{name}}}. Write {{name}}.')
    .waitFor();
  const names = page.getByRole('table', { name: 'Variables' }).locator('tbody td:first-child:not([colspan])');
  expect(await names.allInnerTexts()).toEqual(['name']);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await close();
});

test('characters that would hide are shown in the editor and in the review, and published as they are', async () => {
  const hidden = 'a\u2028b\u000bc\u0085d\u202ee\u200bf';
  const shown = 'a\\u2028b\\u000bc\\u0085d\\u202ee\\u200bf';
  const { page, text, publish, close } = await openNew(`Old ${hidden}`);
  expect(await text.textContent()).toBe(`Old ${shown}`);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await text.press('ControlOrMeta+Home');
  await page.keyboard.type('New ');
  await page.getByRole('button', { name: 'Review and publish' }).click();
  const changes = page.getByRole('dialog').getByRole('region', { name: 'Template' });
  await changes.waitFor();
  expect(await changes.locator('del, ins').allTextContents()).toEqual([`Old ${shown}`, `New Old ${shown}`]);
  expect(await publish()).toBe(`New Old ${hidden}`);
  await close();
});

test.each([
  ['LF', 'one\ntwo\n'],
  ['CRLF', 'one\r\ntwo\r\n'],
])('what is pasted into a text with %s gets its line ends', async (_ends, prompt) => {
  const { page, text, publish, close } = await openNew(prompt);
  await text.press('ControlOrMeta+End');
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'three\\r\\nfour\\nfive\\rsix');
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
  }`);
  await page.getByRole('button', { name: 'Review and publish' }).click();
  await page.getByRole('dialog').getByRole('region', { name: 'Template' }).waitFor();
  expect(await page.getByText('Line ends').count()).toBe(0);
  const lines = 'three four five six'.split(' ').join(prompt.includes('\r') ? '\r\n' : '\n');
  expect(await publish()).toBe(prompt + lines);
  await close();
});

test('Ctrl+F searches the template', async () => {
  await template().click();
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find' }).pressSequentially('stay');
  await page.keyboard.press('Enter');
  await page.locator('.cm-searchMatch-selected').filter({ hasText: 'stay' }).waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Find' }).waitFor({ state: 'detached' });
});

test('Ctrl+Enter opens the review and leaves the template as it is', async () => {
  await template().click();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog', { name: 'Review and publish' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await template().textContent()).toBe('Dear {{user}}, {{ a b }} and {x} stay.');
});

test('Ctrl+Enter in a dialog above the editor publishes nothing', async () => {
  await page.getByRole('button', { name: /admin@example.com/ }).click();
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('the command palette opens above the editor, and closing its dialog asks nothing about the text in the editor', async () => {
  await instance.newKey({ name: 'nightly' });
  const other = await visit(browser, instance, { path: '/prompts/new' });
  await other.page.getByRole('textbox', { name: 'Template' }).fill('Typed and nowhere saved');
  await other.page.keyboard.press('Control+k');
  await other.page.getByRole('combobox', { name: /^Go to a screen/ }).fill('rotate nightly');
  await other.page.getByRole('option', { name: /^Rotate nightly/ }).click();
  const dialog = other.page.getByRole('dialog', { name: /API key|nightly/ });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await other.page.getByRole('dialog').count()).toBe(0);
  await other.close();
});

const styleOf = (text: string, property: 'color' | 'fontWeight') =>
  page.evaluate<string>(`getComputedStyle([...document.querySelectorAll('.cm-line, .cm-line span')]
    .findLast((part) => part.textContent === ${JSON.stringify(text)})).${property}`);

test('Markdown and JSON are highlighted, and placeholders keep their mark', async () => {
  await template().fill('# Rules\n\nPlain\n\n```json\n{"count": 3, "to": "{{user}}"}\n```\n');
  await page.locator('.cm-line span', { hasText: /^"count"$/ }).waitFor();
  expect(await styleOf(' Rules', 'fontWeight')).toBe('700');
  const [plain, property, number] = await Promise.all(
    ['Plain', '"count"', '3'].map((part) => styleOf(part, 'color')),
  );
  expect(new Set([plain, property, number]).size).toBe(3);
  expect(await page.locator('.cm-cue-placeholder').allTextContents()).toEqual(['{{user}}']);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await template().fill('{"answer": null}');
  await page.locator('.cm-line span', { hasText: /^null$/ }).waitFor();
  expect(await styleOf('"answer"', 'color')).toBe(property);
});

test('example values are saved with the prompt, and everyone who opens it starts with them', async () => {
  await template().fill('Dear {{user}}');
  await page.getByRole('button', { name: 'Save as examples' }).click();
  await page.getByText('The example values are saved.').waitFor();
  await page.getByText(/Examples saved .* by admin@example\.com/).waitFor();
  const path = new URL(page.url()).pathname.replace('/new-version', '?tab=try&version=1.0.0');
  const viewer = await visit(browser, instance, { groups: ['viewer'], path });
  const compiled = viewer.page.getByRole('region', { name: 'Compiled text' });
  await compiled.getByText('Hello Ada Lovelace!').waitFor();
  await viewer.page.getByRole('textbox', { name: 'user', exact: true }).fill('Eve');
  expect(await viewer.page.getByRole('button', { name: 'Save as examples' }).count()).toBe(0);
  await viewer.page.getByRole('link', { name: /^1\.1\.0 / }).click();
  await compiled.getByText('Hello Eve, welcome to').waitFor();
  await viewer.page.getByRole('button', { name: 'Use the saved examples' }).click();
  await compiled.getByText('Hello Ada Lovelace, welcome to').waitFor();
  expect(await violationsInBothSchemes(viewer.page)).toEqual([]);
  await viewer.close();
});
