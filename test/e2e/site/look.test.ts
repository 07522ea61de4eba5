import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { show, type Visit, visit } from '../../support/browser/browser.ts';
import {
  cutCells,
  scrollsSideways,
  smallTargets,
  violationsInBothSchemes,
} from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { operatorToken } from '../../support/operators.ts';
import { isSampled } from '../../support/sampled.ts';

let promptId: string;
let secretId: string;

openSite({ sample: true });

beforeAll(async () => {
  const call = { name: 'greeting', label: 'production' };
  promptId = (await instance.post('/api/prompt/get-compiled', call)).json.res.promptId;
  const gone = { name: 'an older text/for the first reply', prompt: 'Hello' };
  const { prompt } = await ask(instance, 'prompts-create', { body: gone });
  await ask(instance, 'prompts-delete', { params: { promptId: prompt.promptId } });
  [{ secretId }] = (await ask(instance, 'secrets-list')).secrets;
  for (const key of ['GONE', 'GONE_WITH_A_LONG_NAME_THAT_TAKES_ROOM']) {
    const { secret } = await ask(instance, 'secrets-create', { body: { key, value: 'x', tags: [] } });
    await ask(instance, 'secrets-delete', { params: { secretId: secret.secretId } });
  }
  // A draft behind the latest version with other variables triggers the warnings.
  await fetch(`${instance.url}/api/admin/prompts/${promptId}/draft`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await operatorToken(instance)}` },
    body: JSON.stringify({ prompt: 'Good day {{name}}', baseVersion: '1.0.0', note: 'A draft' }),
  });
});

const at = (rest: string) => () => `/prompts/${promptId}${rest}`;

// Each screen by its URL, with content that is visible once it has loaded.
const SCREENS: readonly [name: string, path: () => string, sign: (page: Page) => Promise<void>][] = [
  ['the list of prompts', () => '/prompts', (page) => page.getByRole('table', { name: 'Prompts' }).waitFor()],
  [
    'deleted prompts',
    () => '/prompts/deleted',
    (page) => page.getByRole('table', { name: 'Deleted prompts' }).waitFor(),
  ],
  ['a new prompt', () => '/prompts/new', (page) => page.getByRole('textbox', { name: 'Template' }).waitFor()],
  ['a prompt', at(''), (page) => page.getByText('There is a draft').waitFor()],
  ['trying a prompt', at('?tab=try'), (page) => page.getByRole('heading', { name: 'Compiled' }).waitFor()],
  ['using a prompt', at('?tab=use'), (page) => page.getByRole('heading', { name: 'Python' }).waitFor()],
  ['comparing', at('/compare'), (page) => page.getByRole('textbox', { name: /1\.1\.0/ }).waitFor()],
  ['a new version', at('/new-version'), (page) => page.getByRole('textbox', { name: 'Template' }).waitFor()],
  [
    'usage',
    at('/usage'),
    async (page) => {
      await page.getByRole('heading', { name: 'Access history', exact: true }).scrollIntoViewIfNeeded();
      await page.getByRole('table', { name: 'Access history' }).waitFor();
    },
  ],
  ['no such page', () => '/nowhere', (page) => page.getByText('There is no such page').waitFor()],
  ['overview', () => '/', (page) => page.getByRole('region', { name: 'Last changes' }).waitFor()],
  ['secrets', () => '/secrets', (page) => page.getByRole('table', { name: 'Secrets' }).waitFor()],
  [
    'a secret',
    () => `/secrets/${secretId}`,
    (page) => page.getByRole('heading', { name: 'Values' }).waitFor(),
  ],
  ['no such secret', () => '/secrets/none', (page) => page.getByText('There is no such secret').waitFor()],
  [
    'a new secret',
    () => '/secrets',
    async (page) => {
      await page.getByRole('button', { name: 'New secret' }).click();
      await page.getByRole('textbox', { name: 'Key', exact: true }).fill('PATH');
      await page.getByText('changes which code').waitFor();
    },
  ],
  [
    'an import',
    () => '/secrets/import',
    async (page) => {
      await page.getByRole('textbox', { name: 'The .env text' }).fill('A=b\noops\nPATH=x');
      await page.getByRole('table', { name: 'What each line does' }).waitFor();
    },
  ],
  [
    'deleted secrets',
    () => '/secrets/deleted',
    (page) => page.getByRole('table', { name: 'Deleted secrets' }).waitFor(),
  ],
  [
    'a notification',
    () => '/secrets/deleted',
    async (page) => {
      await page.getByRole('button', { name: 'Restore' }).first().click();
      await page.getByRole('alert').getByText('is restored.').waitFor();
    },
  ],
  ['API keys', () => '/api-keys', (page) => page.getByRole('table', { name: 'API keys' }).waitFor()],
  [
    'a new API key',
    () => '/api-keys',
    async (page) => {
      await page.getByRole('button', { name: 'New API key' }).click();
      await page.getByLabel('Read secrets', { exact: true }).check();
    },
  ],
  ['operators', () => '/operators', (page) => page.getByRole('table', { name: 'Operators' }).waitFor()],
  ['audit', () => '/audit', (page) => page.getByRole('table', { name: 'Audit entries' }).waitFor()],
];

describe.each([1440, 360].map((width, window) => ({ width, window })))(
  'in a window of $width pixels',
  ({ width, window }) => {
    let opened: Visit;

    beforeAll(async () => {
      opened = await visit(browser, instance, { colorScheme: 'light', viewport: { width, height: 800 } });
    });

    afterAll(() => opened?.close());

    test.each(SCREENS.map(([name, path, sign], screen) => ({ name, path, sign, screen })))(
      '$name is accessible in light and dark, fits the width, and has targets of sufficient size',
      async ({ path, sign, screen }) => {
        await show(opened.page, path());
        await sign(opened.page);
        if (isSampled(screen, window)) expect(await violationsInBothSchemes(opened.page)).toEqual([]);
        expect(await scrollsSideways(opened.page)).toBe(false);
        expect(await cutCells(opened.page)).toEqual([]);
        expect(await smallTargets(opened.page)).toEqual([]);
      },
    );
  },
);

test('a shortcut pressed before the command palette has loaded opens it afterwards', async () => {
  const { page, close } = await visit(browser, instance, { path: '/' });
  const pressed = Promise.withResolvers<void>();
  await page.route(/\/assets\/overlays-/, (route) => pressed.promise.then(() => route.continue()));
  await page.reload();
  await page.getByRole('region', { name: 'Last changes' }).waitFor();
  await page.keyboard.press('Control+k');
  pressed.resolve();
  await page.getByRole('dialog').getByRole('combobox').fill('secrets');
  await page.getByRole('dialog').getByRole('option', { name: 'Secrets', exact: true }).waitFor();
  await close();
});

test('the shortcut also works in the template editor', async () => {
  const { page, close } = await visit(browser, instance, { path: '/prompts/new' });
  await page.getByRole('textbox', { name: 'Template' }).click();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await close();
});
