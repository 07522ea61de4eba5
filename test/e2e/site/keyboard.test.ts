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
  titled,
} from '../../support/browser/site.ts';

const TABS = 25;

openSite({ sample: true });

beforeAll(async () => {
  for (const name of ['deploys', 'Revoke notice']) await instance.newKey({ name });
  await addPrompt({ name: 'Rotate banner', prompt: 'Turn' });
  await arrive({ path: '/audit' });
});

/** Which of these parts of the page get the focus within the given number of Tab presses. */
const passed = async (): Promise<Set<string>> => {
  const parts = new Set<string>();
  for (let n = 0; n < TABS; n++) {
    await hotkey('Tab');
    parts.add(
      await page.evaluate<string>(
        "document.activeElement.closest('nav, main, header')?.tagName ?? document.activeElement.tagName",
      ),
    );
  }
  return parts;
};

const hasFocus = (name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true, level: 1 }).and(page.locator(':focus')).waitFor();

const field = () => dialog().getByRole('combobox');
const option = (name: string) => dialog().getByRole('option', { name: new RegExp(`^${name}`) });
const said = () => dialog().getByRole('status');

const type = async (text: string): Promise<void> => {
  await hotkey('Control+k');
  await field().fill(text);
};

test('what is typed after the first Ctrl+K is in the palette, however late that loads', async () => {
  await page.getByRole('searchbox').first().focus();
  const asked = Promise.withResolvers<void>();
  await page.route(/assets\/(?:overlays|commands)/, (route) => asked.promise.then(() => route.continue()));
  await hotkey('Control+k');
  await page.keyboard.type('gs n gr');
  expect(await field().inputValue()).toBe('gs n gr');
  await hotkey('Control+a');
  await page.keyboard.type('gree');
  asked.resolve();
  await page.keyboard.type('ting');
  await hotkey('Enter');
  await hasFocus('greeting');
  await page.goBack();
  await hasFocus('Audit');
  expect(page.url()).toBe(`${instance.url}/audit`);
  await page.unrouteAll();
});

test('a dialog returns the focus to the button of its menu, or to the title once that is gone', async () => {
  await show('/api-keys');
  await menu(/^More actions for first run/, 'Edit name and access');
  await press('Cancel', dialog());
  await page.locator('button:focus[aria-label^="More actions"]').waitFor();
  await hotkey('Control+k');
  await byRole('option', 'Stop serving secrets').click();
  await press('Cancel', dialog());
  await hasFocus('API keys');
});

describe('in a narrow window', () => {
  beforeAll(async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await show('/prompts');
  });
  afterAll(() => page.setViewportSize({ width: 1280, height: 900 }));

  const burger = () => byRole('button', 'Open the navigation');

  test('the Tab key skips the closed navigation', async () => {
    await appears('table', 'Prompts');
    expect(await burger().getAttribute('aria-expanded')).toBe('false');
    const parts = await passed();
    expect([parts.has('NAV'), parts.has('HEADER'), parts.has('MAIN')]).toEqual([false, true, true]);
  });

  test('the open navigation traps the focus until Escape returns it to its button', async () => {
    await burger().focus();
    await hotkey('Enter');
    await exactly('link', 'Secrets').waitFor();
    await accessible();
    const parts = await passed();
    expect([parts.has('NAV'), parts.has('HEADER'), parts.has('MAIN')]).toEqual([true, false, false]);
    await exactly('link', 'Secrets').focus();
    await hotkey('Escape');
    await burger().and(page.locator(':focus[aria-expanded=false]')).waitFor();
    await hotkey('Enter');
    await exactly('link', 'Secrets').click();
    await hasFocus('Secrets');
  });
});

describe('in the command palette', () => {
  const open = async (): Promise<void> => {
    await show('/audit');
    await appears('table', 'Audit entries');
    await hotkey('Control+k');
    await field().waitFor();
  };

  const closePalette = async (): Promise<void> => {
    await hotkey('Escape');
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
    await hotkey('ArrowDown');
    expect([await isSelected('Secrets'), await isSelected('Prompts$')]).toEqual([true, false]);
    await hotkey('ArrowUp');
    await hotkey('ArrowUp');
    expect(await page.getByRole('option', { selected: true }).count()).toBe(1);
    expect(await page.getByRole('option').last().getAttribute('aria-selected')).toBe('true');
    await accessible();
    await hotkey('ArrowDown');
    await hotkey('Enter');
    await titled('Prompts');
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
    await closePalette();
  });

  test('a failed search is not shown as an empty result', async () => {
    await open();
    const refusal = { err: 'It did not work.', res: null };
    await page.route(/[?&]q=zy/, (route) => route.fulfill({ status: 403, json: refusal }));
    await page.keyboard.type('zy');
    await see('could not be searched', said());
    expect(await said().textContent()).not.toContain('No results');
    await closePalette();
  });

  test('the palette changes the appearance and offers the id of the prompt on the screen', async () => {
    await open();
    await page.keyboard.type('dark app');
    await option('Dark appearance').waitFor();
    await hotkey('Enter');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await gone(dialog());
    await type('copy');
    await see('No results.', said());
    await hotkey('Escape');
    await exactly('link', 'Prompts').click();
    await follow('support-reply');
    await titled('support-reply');
    await gone(dialog());
    await type('copy');
    await option('Copy the id').waitFor();
    await closePalette();
  });

  test('the palette opens the dialogs for a new secret and a new API key from any screen', async () => {
    await show('/audit');
    await titled('Audit');
    await type('new sec');
    await option('New secret').waitFor();
    await hotkey('Enter');
    await press('Cancel', dialog('New secret'));
    await gone(dialog());
    await type('new api');
    await option('New API key').waitFor();
    await hotkey('Enter');
    await press('Cancel', dialog('New API key'));
    await gone(dialog());
  });

  test('on a bad day, a word finds its actions, and what has such a name', async () => {
    await hotkey('Control+k');
    for (const [typed, actions] of [
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
    ] as const) {
      await field().fill(typed);
      for (const name of actions) await option(name).first().waitFor();
    }
    await closePalette();
  });

  test('single keys go to screens, search and add, but not while typing, with a modifier or in a dialog', async () => {
    const listed = Promise.withResolvers<void>();
    await page.route('**/api/admin/secrets?*', (route) =>
      listed.promise.then(() => route.continue()).catch(() => {}),
    );
    await hotkey('g');
    await hotkey('s');
    await titled('Secrets');
    // The list has not loaded yet.
    await hotkey('/');
    await page.keyboard.type('ngp?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('ngp?');
    listed.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('searchbox').fill('');
    await appears('table', 'Secrets');
    await byRole('heading', 'Secrets').click();
    await hotkey('Alt+n');
    await hotkey('n');
    await dialog('New secret').waitFor();
    await byRole('button', 'Cancel', dialog('New secret')).focus();
    await page.keyboard.type('?gp');
    expect(await dialog().count()).toBe(1);
    await titled('Secrets');
    await hotkey('Enter');
    await gone(dialog());
  });

  test('a question mark lists the shortcuts, where those of single keys can be turned off', async () => {
    await byRole('heading', 'Secrets').click();
    await hotkey('?');
    const single = byRole('checkbox', 'Shortcuts of single keys', dialog('Keyboard shortcuts'));
    await single.waitFor();
    // An earlier test has chosen the dark appearance.
    expect(await seriousViolations(page)).toEqual([]);
    await single.uncheck();
    await closePalette();
    await page.keyboard.type('?gp');
    await type('keyboard');
    await option('Keyboard shortcuts').waitFor();
    await hotkey('Enter');
    await single.check();
    await closePalette();
    await titled('Secrets');
  });
});

describe('in a wide window', () => {
  beforeAll(() => arrive({ groups: ['viewer'] }));

  test('following a link moves the focus to the title of the new screen', async () => {
    await exactly('link', 'greeting').focus();
    await hotkey('Enter');
    await hasFocus('greeting');
    await follow('Usage and history');
    await hasFocus('Usage and access history');
    await exactly('link', 'API keys').click();
    await hasFocus('API keys');
    await page.goBack();
    await hasFocus('Usage and access history');
    await hotkey('Control+k');
    await byRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('audit');
    await page.getByRole('option', { name: 'Audit', selected: true }).waitFor();
    await hotkey('Enter');
    await hasFocus('Audit');
  });

  test('the title and the way back are there before a prompt is read, and the title keeps the focus', async () => {
    const read = Promise.withResolvers<void>();
    await page.route('**/api/admin/prompts/prm_*', (route) => read.promise.then(() => route.continue()));
    await show('/prompts');
    await exactly('link', 'support-reply').click();
    await page.getByRole('status').getByText('Loading…').waitFor();
    await hasFocus('support-reply');
    const back = page.getByRole('main').getByRole('link', { name: 'Prompts', exact: true });
    expect(await back.count()).toBe(1);
    await page.evaluate("document.querySelector('h1').dataset.seen = 'yes'");
    read.resolve();
    await page.getByRole('tab', { name: 'Try it' }).waitFor();
    await hasFocus('support-reply');
    expect([await back.count(), await page.locator('h1[data-seen]').count()]).toEqual([1, 1]);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('a link at the beginning of a prompt skips to its template', async () => {
    await show('/prompts');
    await exactly('link', 'greeting').click();
    await appears('tab', 'Try it');
    await byRole('link', 'Skip to the template').focus();
    await hotkey('Enter');
    await page.locator('#template:focus').waitFor();
    await hotkey('Tab');
    expect(await page.evaluate("document.activeElement.closest('#template') !== null")).toBe(true);
    await show('/audit');
    await byRole('searchbox').first().waitFor();
  });

  test('changing a filter keeps the focus', async () => {
    await byRole('searchbox').first().fill('nobody');
    await page.waitForURL(/actor=nobody/);
    await headed('No matching entries');
    expect(await byRole('searchbox').first().and(page.locator(':focus')).count()).toBe(1);
  });

  test.each([
    ['/nowhere', 'There is no such page'],
    ['/prompts/none', 'There is no such prompt'],
    ['/secrets/none', 'There is no such secret'],
    ['/prompts/new', 'You do not have permission'],
  ])('%s has a heading and a document title', async (path, title) => {
    await show(path);
    await titled(title);
    expect(await page.title()).toBe(`${title} · Cuevault`);
  });

  test('viewers are not offered anything new, and no changes of what they find', async () => {
    await show('/secrets');
    await appears('table', 'Secrets');
    await hotkey('n');
    await type('new ');
    await see('No results.', said());
    await absent(byRole('dialog', /^New/));
    const search = field();
    for (const [verb, name] of [
      ['rotate', 'DATABASE'],
      ['roll back', 'greeting'],
      ['revoke', 'deploys'],
    ] as const) {
      await search.fill(name);
      await option(name).waitFor();
      await search.fill(`${verb} ${name}`);
      await see('No results.', said());
    }
    await search.fill('rotate banner');
    await option('Rotate banner').waitFor();
  });
});
