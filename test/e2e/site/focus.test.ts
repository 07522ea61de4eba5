import type { Page } from 'playwright-core';
import { show, type Visit, visit } from '../../support/browser/browser.ts';
import { seriousViolations } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

const TABS = 25;

openSite({ sample: true });

/** Which of these parts of the page get the focus within the given number of Tab presses. */
const passed = async (page: Page): Promise<Set<string>> => {
  const parts = new Set<string>();
  for (let n = 0; n < TABS; n++) {
    await page.keyboard.press('Tab');
    parts.add(
      await page.evaluate<string>(
        "document.activeElement.closest('nav, main, header')?.tagName ?? document.activeElement.tagName",
      ),
    );
  }
  return parts;
};

const hasFocus = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true, level: 1 }).and(page.locator(':focus')).waitFor();

describe('in a narrow window', () => {
  let opened: Visit;
  let page: Page;

  beforeAll(async () => {
    opened = await visit(browser, instance, { viewport: { width: 360, height: 800 } });
    page = opened.page;
  });

  const burger = () => page.getByRole('button', { name: 'Open the navigation' });

  test('the Tab key skips the closed navigation', async () => {
    await page.getByRole('table', { name: 'Prompts' }).waitFor();
    expect(await burger().getAttribute('aria-expanded')).toBe('false');
    const parts = await passed(page);
    expect([parts.has('NAV'), parts.has('HEADER'), parts.has('MAIN')]).toEqual([false, true, true]);
  });

  test('the open navigation traps the focus until Escape returns it to its button', async () => {
    await burger().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Secrets', exact: true }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const parts = await passed(page);
    expect([parts.has('NAV'), parts.has('HEADER'), parts.has('MAIN')]).toEqual([true, false, false]);
    await page.getByRole('link', { name: 'Secrets', exact: true }).focus();
    await page.keyboard.press('Escape');
    await burger().and(page.locator(':focus[aria-expanded=false]')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Secrets', exact: true }).click();
    await hasFocus(page, 'Secrets');
  });
});

test('a dialog returns the focus to the button of its menu, or to the title once that is gone', async () => {
  const { page, close } = await visit(browser, instance, { path: '/api-keys' });
  await page.getByRole('button', { name: /^More actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Edit name and access' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.locator('button:focus[aria-label^="More actions"]').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Stop serving secrets' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await hasFocus(page, 'API keys');
  await close();
});

describe('in a wide window', () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await visit(browser, instance, { groups: ['viewer'] }));
  });

  test('following a link moves the focus to the title of the new screen', async () => {
    await page.getByRole('link', { name: 'greeting', exact: true }).focus();
    await page.keyboard.press('Enter');
    await hasFocus(page, 'greeting');
    await page.getByRole('link', { name: 'Usage and history' }).click();
    await hasFocus(page, 'Usage and access history');
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await hasFocus(page, 'API keys');
    await page.goBack();
    await hasFocus(page, 'Usage and access history');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('audit');
    await page.getByRole('option', { name: 'Audit', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await hasFocus(page, 'Audit');
  });

  test('a link at the beginning of a prompt skips to its template', async () => {
    await show(page, '/prompts');
    await page.getByRole('link', { name: 'greeting', exact: true }).click();
    await page.getByRole('tab', { name: 'Try it' }).waitFor();
    await page.getByRole('link', { name: 'Skip to the template' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#template:focus').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.closest('#template') !== null")).toBe(true);
    await show(page, '/audit');
    await page.getByRole('searchbox').first().waitFor();
  });

  test('changing a filter keeps the focus', async () => {
    await page.getByRole('searchbox').first().fill('nobody');
    await page.waitForURL(/actor=nobody/);
    await page.getByRole('heading', { name: 'No matching entries' }).waitFor();
    expect(await page.getByRole('searchbox').first().and(page.locator(':focus')).count()).toBe(1);
  });

  test.each([
    ['/nowhere', 'There is no such page'],
    ['/prompts/none', 'There is no such prompt'],
    ['/secrets/none', 'There is no such secret'],
    ['/prompts/new', 'You do not have permission'],
  ])('%s has a heading and a document title', async (path, title) => {
    await show(page, path);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    expect(await page.title()).toBe(`${title} · Cuevault`);
  });
});
