import type { Page } from 'playwright-core';
import { secretsCreate } from '../../../contract/endpoints/secrets/secrets-create.ts';
import { secretsDelete } from '../../../contract/endpoints/secrets/secrets-delete.ts';
import { secretsList } from '../../../contract/endpoints/secrets/secrets-list.ts';
import { ask } from '../../support/admin.ts';
import { show, visit } from '../../support/browser/browser.ts';
import {
  cutCells,
  scrollsSideways,
  smallTargets,
  violationsInBothSchemes,
} from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { isSampled } from '../../support/sampled.ts';

let secretId: string;

openSite({ sample: true });

beforeAll(async () => {
  [{ secretId }] = (await ask(instance, secretsList)).secrets;
  for (const key of ['GONE', 'ALSO_GONE', 'GONE_WITH_A_LONG_NAME_THAT_TAKES_ROOM']) {
    const { secret } = await ask(instance, secretsCreate, { body: { key, value: 'x', tags: [] } });
    await ask(instance, secretsDelete, { params: { secretId: secret.secretId } });
  }
});

// Each screen by its URL, with content that is visible once it has loaded.
const SCREENS: readonly [name: string, path: () => string, sign: (page: Page) => Promise<void>][] = [
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
    test('no screen breaks a rule of accessibility in light or dark, has too small a target, scrolls sideways or puts an error on the console', async () => {
      const options = { colorScheme: 'light', viewport: { width, height: 800 }, path: '/' } as const;
      const { page, problems, close } = await visit(browser, instance, options);
      const found: Record<string, unknown> = {};
      for (const [screen, [name, path, sign]] of SCREENS.entries()) {
        await show(page, path());
        await sign(page);
        const violations = isSampled(screen, window) ? await violationsInBothSchemes(page) : [];
        if (violations.length > 0) found[name] = violations;
        const cut = await cutCells(page);
        if (cut.length > 0) found[`${name}: cells`] = cut;
        const small = await smallTargets(page);
        if (small.length > 0) found[`${name}: targets`] = small;
        if (await scrollsSideways(page)) found[`${name}: width`] = 'scrolls sideways';
      }
      expect(found).toEqual({});
      expect(problems).toEqual([]);
      await close();
    });
  },
);
