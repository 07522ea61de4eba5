import type { Page } from 'playwright-core';
import { visit } from '../support/browser/browser.ts';
import { seriousViolations } from '../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../support/browser/site.ts';

let page: Page;

openSite({ sample: true });

beforeAll(async () => {
  ({ page } = await visit(browser, instance));
});

const field = () => page.getByRole('dialog').getByRole('combobox');
const option = (name: string) =>
  page.getByRole('dialog').getByRole('option', { name: new RegExp(`^${name}`) });
const said = () => page.getByRole('dialog').getByRole('status');

const open = async (): Promise<void> => {
  await page.goto(`${instance.url}/audit`);
  await page.getByRole('table', { name: 'Audit entries' }).waitFor();
  await page.keyboard.press('Control+k');
  await field().waitFor();
};

const isSelected = async (name: string): Promise<boolean> => {
  const id = await option(name).getAttribute('id');
  const selected = await option(name).getAttribute('aria-selected');
  return selected === 'true' && id !== null && id === (await field().getAttribute('aria-activedescendant'));
};

test('the result that Enter opens is announced, and the arrow keys change it', async () => {
  await open();
  await page.keyboard.type('s');
  await option('support-reply').waitFor();
  await option('DATABASE_URL').waitFor();
  expect(await field().getAttribute('aria-expanded')).toBe('true');
  expect(await isSelected('Prompts')).toBe(true);
  await page.keyboard.press('ArrowDown');
  expect([await isSelected('Secrets'), await isSelected('Prompts')]).toEqual([true, false]);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await page.getByRole('option', { selected: true }).count()).toBe(1);
  expect(await page.getByRole('option').last().getAttribute('aria-selected')).toBe('true');
  expect(await seriousViolations(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Prompts', level: 1 }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a slow search shows that it is running, and "no results" only after the reply', async () => {
  await open();
  const answer = Promise.withResolvers<void>();
  await page.route(/[?&]q=zz/, (route) => answer.promise.then(() => route.continue()));
  await page.keyboard.type('zz');
  await said().getByText('Searching…').waitFor();
  expect(await said().textContent()).toBe('Searching…');
  answer.resolve();
  await said().getByText('No results.').waitFor();
});

test('a failed search is not shown as an empty result', async () => {
  await open();
  const refusal = { err: 'It did not work.', res: null };
  await page.route(/[?&]q=zz/, (route) => route.fulfill({ status: 403, json: refusal }));
  await page.keyboard.type('zz');
  await said().getByText('could not be searched').waitFor();
  expect(await said().textContent()).not.toContain('Nothing has these letters');
});

test('the palette changes the appearance and offers the id of the prompt on the screen', async () => {
  await open();
  await page.keyboard.type('dark app');
  await option('Dark appearance').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('copy');
  await said().getByText('No results.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Prompts', exact: true }).click();
  await page.getByRole('link', { name: 'support-reply' }).click();
  await page.getByRole('heading', { name: 'support-reply', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('copy');
  await option('Copy the id').waitFor();
});
