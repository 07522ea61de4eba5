import type { Page } from 'playwright-core';
import { seriousViolations } from '../../support/browser/screen-checks.ts';
import {
  absent,
  accessible,
  addPrompt,
  appears,
  arrive,
  byRole,
  dialog,
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
} from '../../support/browser/site.ts';

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
  beforeAll(() => arrive({ viewport: { width: 360, height: 800 } }));

  const burger = () => byRole('button', 'Open the navigation', page);

  test('the Tab key skips the closed navigation', async () => {
    await appears('table', 'Prompts', page);
    expect(await burger().getAttribute('aria-expanded')).toBe('false');
    const parts = await passed(page);
    expect([parts.has('NAV'), parts.has('HEADER'), parts.has('MAIN')]).toEqual([false, true, true]);
  });

  test('the open navigation traps the focus until Escape returns it to its button', async () => {
    await burger().focus();
    await page.keyboard.press('Enter');
    await exactly('link', 'Secrets', page).waitFor();
    await accessible(page);
    const parts = await passed(page);
    expect([parts.has('NAV'), parts.has('HEADER'), parts.has('MAIN')]).toEqual([true, false, false]);
    await exactly('link', 'Secrets', page).focus();
    await page.keyboard.press('Escape');
    await burger().and(page.locator(':focus[aria-expanded=false]')).waitFor();
    await page.keyboard.press('Enter');
    await exactly('link', 'Secrets', page).click();
    await hasFocus(page, 'Secrets');
  });
});

test('a dialog returns the focus to the button of its menu, or to the title once that is gone', async () => {
  const { page, close } = await signedIn({ path: '/api-keys' });
  await menu(/^More actions for/, 'Edit name and access', page);
  await press('Cancel', page.getByRole('dialog'));
  await page.locator('button:focus[aria-label^="More actions"]').waitFor();
  await page.keyboard.press('Control+k');
  await byRole('option', 'Stop serving secrets', page).click();
  await press('Cancel', page.getByRole('dialog'));
  await hasFocus(page, 'API keys');
  await close();
});

describe('in a wide window', () => {
  beforeAll(() => arrive({ groups: ['viewer'] }));

  test('following a link moves the focus to the title of the new screen', async () => {
    await exactly('link', 'greeting').focus();
    await hotkey('Enter');
    await hasFocus(page, 'greeting');
    await follow('Usage and history', page);
    await hasFocus(page, 'Usage and access history');
    await exactly('link', 'API keys').click();
    await hasFocus(page, 'API keys');
    await page.goBack();
    await hasFocus(page, 'Usage and access history');
    await hotkey('Control+k');
    await byRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('audit');
    await page.getByRole('option', { name: 'Audit', selected: true }).waitFor();
    await hotkey('Enter');
    await hasFocus(page, 'Audit');
  });

  test('the title and the way back are there before a prompt is read, and the title keeps the focus', async () => {
    const read = Promise.withResolvers<void>();
    await page.route('**/api/admin/prompts/prm_*', (route) => read.promise.then(() => route.continue()));
    await show('/prompts');
    await exactly('link', 'support-reply').click();
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
    await show('/prompts', page);
    await exactly('link', 'greeting').click();
    await appears('tab', 'Try it');
    await byRole('link', 'Skip to the template').focus();
    await hotkey('Enter');
    await page.locator('#template:focus').waitFor();
    await hotkey('Tab');
    expect(await page.evaluate("document.activeElement.closest('#template') !== null")).toBe(true);
    await show('/audit', page);
    await byRole('searchbox').first().waitFor();
  });

  test('changing a filter keeps the focus', async () => {
    await byRole('searchbox').first().fill('nobody');
    await page.waitForURL(/actor=nobody/);
    await headed('No matching entries', page);
    expect(await byRole('searchbox').first().and(page.locator(':focus')).count()).toBe(1);
  });

  test.each([
    ['/nowhere', 'There is no such page'],
    ['/prompts/none', 'There is no such prompt'],
    ['/secrets/none', 'There is no such secret'],
    ['/prompts/new', 'You do not have permission'],
  ])('%s has a heading and a document title', async (path, title) => {
    await show(path, page);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    expect(await page.title()).toBe(`${title} · Cuevault`);
  });
});

test('what is typed after the first Ctrl+K is in the palette, however late that loads', async () => {
  const { page, close } = await signedIn({ path: '/audit' });
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

describe('in the command palette', () => {
  beforeAll(() => arrive());

  const field = () => dialog().getByRole('combobox');
  const option = (name: string) => dialog().getByRole('option', { name: new RegExp(`^${name}`) });
  const said = () => dialog().getByRole('status');

  const open = async (): Promise<void> => {
    await page.goto(`${instance.url}/audit`);
    await appears('table', 'Audit entries', page);
    await page.keyboard.press('Control+k');
    await field().waitFor();
  };

  const closePalette = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await gone(dialog());
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
    await accessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Prompts', level: 1 }).waitFor();
    await gone(dialog());
  });

  test('a slow search shows that it is running, and "no results" only after the reply', async () => {
    await open();
    const answer = Promise.withResolvers<void>();
    await page.route(/[?&]q=zz/, (route) => answer.promise.then(() => route.continue()));
    await page.keyboard.type('zz');
    await see('Searching…', said());
    expect(await said().textContent()).toBe('Searching…');
    answer.resolve();
    await see('No results.', said());
  });

  test('a failed search is not shown as an empty result', async () => {
    await open();
    const refusal = { err: 'It did not work.', res: null };
    await page.route(/[?&]q=zz/, (route) => route.fulfill({ status: 403, json: refusal }));
    await page.keyboard.type('zz');
    await see('could not be searched', said());
    expect(await said().textContent()).not.toContain('No results');
  });

  test('the palette changes the appearance and offers the id of the prompt on the screen', async () => {
    await open();
    await page.keyboard.type('dark app');
    await option('Dark appearance').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await gone(dialog());
    await type(page, 'copy');
    await see('No results.', said());
    await page.keyboard.press('Escape');
    await exactly('link', 'Prompts', page).click();
    await follow('support-reply');
    await page.getByRole('heading', { name: 'support-reply', level: 1 }).waitFor();
    await gone(dialog());
    await type(page, 'copy');
    await option('Copy the id').waitFor();
    await closePalette();
  });

  const type = async (on: Page, text: string): Promise<void> => {
    await on.keyboard.press('Control+k');
    await on.getByRole('dialog').getByRole('combobox').fill(text);
  };
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });

  test('the palette opens the dialogs for a new secret and a new API key from any screen', async () => {
    await show('/audit');
    await heading('Audit').waitFor();
    await type(page, 'new sec');
    await option('New secret').waitFor();
    await page.keyboard.press('Enter');
    await press('Cancel', dialog('New secret'));
    await gone(dialog());
    await type(page, 'new api');
    await option('New API key').waitFor();
    await page.keyboard.press('Enter');
    await press('Cancel', dialog('New API key'));
    await gone(dialog());
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
      await addPrompt({ name: 'Rotate banner', prompt: 'Turn' });
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
    await appears('table', 'Secrets', page);
    await heading('Secrets').click();
    await page.keyboard.press('Alt+n');
    await page.keyboard.press('n');
    await dialog('New secret').waitFor();
    await byRole('button', 'Cancel', dialog('New secret')).focus();
    await page.keyboard.type('?gp');
    expect(await dialog().count()).toBe(1);
    await heading('Secrets').waitFor();
    await page.keyboard.press('Enter');
    await gone(dialog());
  });

  test('a question mark lists the shortcuts, where those of single keys can be turned off', async () => {
    await heading('Secrets').click();
    await page.keyboard.press('?');
    const single = byRole('checkbox', 'Shortcuts of single keys', dialog('Keyboard shortcuts'));
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
    const viewer = await signedIn({ groups: ['viewer'], path: '/secrets' });
    await appears('table', 'Secrets', viewer.page);
    await viewer.page.keyboard.press('n');
    await type(viewer.page, 'new ');
    await see('No results.', viewer.page.getByRole('status'));
    await absent(byRole('dialog', /^New/, viewer.page));
    const search = viewer.page.getByRole('dialog').getByRole('combobox');
    for (const [verb, name] of [
      ['rotate', 'DATABASE'],
      ['roll back', 'greeting'],
      ['revoke', 'deploys'],
    ] as const) {
      await search.fill(name);
      await viewer.page.getByRole('option', { name: new RegExp(`^${name}`) }).waitFor();
      await search.fill(`${verb} ${name}`);
      await see('No results.', viewer.page.getByRole('status'));
    }
    await search.fill('rotate banner');
    await appears('option', /^Rotate banner/, viewer.page);
    await viewer.close();
  });
});
