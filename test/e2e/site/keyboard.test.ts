import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
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

  test('the title and the way back are there before a prompt is read, and the title keeps the focus', async () => {
    const read = Promise.withResolvers<void>();
    await page.route('**/api/admin/prompts/prm_*', (route) => read.promise.then(() => route.continue()));
    await show(page, '/prompts');
    await page.getByRole('link', { name: 'support-reply', exact: true }).click();
    await page.getByRole('status').getByText('Loading…').waitFor();
    await hasFocus(page, 'support-reply');
    const back = page.getByRole('main').getByRole('link', { name: 'Prompts', exact: true });
    expect(await back.count()).toBe(1);
    await page.evaluate("document.querySelector('h1').dataset.seen = 'yes'");
    read.resolve();
    await page.getByRole('tab', { name: 'Try it' }).waitFor();
    await hasFocus(page, 'support-reply');
    expect([await back.count(), await page.locator('h1[data-seen]').count()]).toEqual([1, 1]);
    await page.unrouteAll({ behavior: 'wait' });
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

test('what is typed after the first Ctrl+K is in the palette, however late that loads', async () => {
  const { page, close } = await visit(browser, instance, { path: '/audit' });
  await page.getByRole('searchbox').first().focus();
  const asked = Promise.withResolvers<void>();
  await page.route(/assets\/(?:overlays|commands)/, (route) => asked.promise.then(() => route.continue()));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('gs n gr');
  expect(await page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('gs n gr');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('gree');
  asked.resolve();
  await page.keyboard.type('ting');
  await page.keyboard.press('Enter');
  await hasFocus(page, 'greeting');
  await page.goBack();
  await hasFocus(page, 'Audit');
  expect(page.url()).toBe(`${instance.url}/audit`);
  await close();
});

let page: Page;

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

const closePalette = async (): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
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
  expect(await isSelected('Prompts$')).toBe(true);
  await page.keyboard.press('ArrowDown');
  expect([await isSelected('Secrets'), await isSelected('Prompts$')]).toEqual([true, false]);
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
  expect(await said().textContent()).not.toContain('No results');
});

test('the palette changes the appearance and offers the id of the prompt on the screen', async () => {
  await open();
  await page.keyboard.type('dark app');
  await option('Dark appearance').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await type(page, 'copy');
  await said().getByText('No results.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Prompts', exact: true }).click();
  await page.getByRole('link', { name: 'support-reply' }).click();
  await page.getByRole('heading', { name: 'support-reply', level: 1 }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await type(page, 'copy');
  await option('Copy the id').waitFor();
  await closePalette();
});

const type = async (on: Page, text: string): Promise<void> => {
  await on.keyboard.press('Control+k');
  await on.getByRole('dialog').getByRole('combobox').fill(text);
};
const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
const dialog = (name: string) => page.getByRole('dialog', { name });

test('the palette opens the dialogs for a new secret and a new API key from any screen', async () => {
  await show(page, '/audit');
  await heading('Audit').waitFor();
  await type(page, 'new sec');
  await option('New secret').waitFor();
  await page.keyboard.press('Enter');
  await dialog('New secret').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await type(page, 'new api');
  await option('New API key').waitFor();
  await page.keyboard.press('Enter');
  await dialog('New API key').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test.each([
  ['stop', ['Stop serving secrets']],
  ['admin@', ['admin@example.com']],
  ['settings', ['Dark appearance', 'Keyboard shortcuts', 'Where events are sent']],
  ['invite', ['Invite an operator']],
  ['draft', ['Prompts with a draft']],
  ['vault', ['Vault', 'Stop serving secrets', 'Vault: roll back all secrets']],
  ['roll back', ['Roll back a prompt', 'Rotate or roll back a secret', 'Vault: roll back all secrets']],
  ['rollback greeting', ['Roll back greeting']],
  ['rotate', ['Revoke or rotate an API key', 'Rotate or roll back a secret']],
  ['rotate DATABASE', ['Rotate DATABASE_URL']],
  ['deploys', ['deploys', 'Revoke deploys', 'Rotate deploys']],
  ['revoke deploys', ['Revoke deploys']],
  ['rotate banner', ['Rotate banner']],
  ['revoke', ['Revoke notice', 'Rotate Revoke notice']],
  ['revoke notice', ['Revoke notice', 'Revoke Revoke notice']],
] as const)('on a bad day, "%s" finds its actions, and what has such a name', async (typed, actions) => {
  if (typed === 'stop') {
    for (const name of ['deploys', 'Revoke notice']) await instance.newKey({ name });
    await ask('prompts-create', { name: 'Rotate banner', prompt: 'Turn' });
  }
  await type(page, typed);
  for (const name of actions) await option(name).first().waitFor();
  await closePalette();
});

test('single keys go to screens, search and add, but not while typing, with a modifier or in a dialog', async () => {
  const listed = Promise.withResolvers<void>();
  await page.route('**/api/admin/secrets?*', (route) =>
    listed.promise.then(() => route.continue()).catch(() => {}),
  );
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await heading('Secrets').waitFor();
  // The list has not loaded yet.
  await page.keyboard.press('/');
  await page.keyboard.type('ngp?');
  expect(await page.getByRole('searchbox').inputValue()).toBe('ngp?');
  listed.resolve();
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('searchbox').fill('');
  await page.getByRole('table', { name: 'Secrets' }).waitFor();
  await heading('Secrets').click();
  await page.keyboard.press('Alt+n');
  await page.keyboard.press('n');
  await dialog('New secret').waitFor();
  await dialog('New secret').getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.type('?gp');
  expect(await page.getByRole('dialog').filter({ visible: true }).count()).toBe(1);
  await heading('Secrets').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a question mark lists the shortcuts, where those of single keys can be turned off', async () => {
  await heading('Secrets').click();
  await page.keyboard.press('?');
  const single = dialog('Keyboard shortcuts').getByRole('checkbox', { name: 'Shortcuts of single keys' });
  await single.waitFor();
  // An earlier test has chosen the dark appearance.
  expect(await seriousViolations(page)).toEqual([]);
  await single.uncheck();
  await closePalette();
  await page.keyboard.type('?gp');
  await type(page, 'keyboard');
  await option('Keyboard shortcuts').waitFor();
  await page.keyboard.press('Enter');
  await single.check();
  await closePalette();
  await heading('Secrets').waitFor();
});

test('viewers are not offered anything new, and no changes of what they find', async () => {
  const viewer = await visit(browser, instance, { groups: ['viewer'], path: '/secrets' });
  await viewer.page.getByRole('table', { name: 'Secrets' }).waitFor();
  await viewer.page.keyboard.press('n');
  await type(viewer.page, 'new ');
  await viewer.page.getByRole('status').getByText('No results.').waitFor();
  expect(await viewer.page.getByRole('dialog', { name: /^New/ }).count()).toBe(0);
  const search = viewer.page.getByRole('dialog').getByRole('combobox');
  for (const [verb, name] of [
    ['rotate', 'DATABASE'],
    ['roll back', 'greeting'],
    ['revoke', 'deploys'],
  ] as const) {
    await search.fill(name);
    await viewer.page.getByRole('option', { name: new RegExp(`^${name}`) }).waitFor();
    await search.fill(`${verb} ${name}`);
    await viewer.page.getByRole('status').getByText('No results.').waitFor();
  }
  await search.fill('rotate banner');
  await viewer.page.getByRole('option', { name: /^Rotate banner/ }).waitFor();
  await viewer.close();
});
