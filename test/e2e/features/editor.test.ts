import type { Page } from 'playwright-core';
import { type Visit, visit } from '../../support/browser/browser.ts';
import { violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

let editor: Visit;
let page: Page;

openSite({ sample: true });

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

test('the editor gives the size, an estimate of tokens, and braces that are not placeholders', async () => {
  await page.getByText('38 characters, 38 bytes, about 10 tokens').waitFor();
  await page.getByText('Not placeholders, served as written: {{ a b }}, {x}.').waitFor();
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
