import type { Page } from 'playwright-core';
import { type Visit, visit } from '../support/browser/browser.ts';
import { violationsInBothSchemes } from '../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../support/browser/site.ts';

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
  await page.getByRole('button', { name: 'Try it' }).click();
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

test('nothing of this put an error on the console or broke the security policy', () => {
  expect(editor.problems).toEqual([]);
});
