import { ask } from '../../support/admin.ts';
import {
  cutCells,
  scrollsSideways,
  smallTargets,
  violationsInBothSchemes,
} from '../../support/browser/screen-checks.ts';
import {
  appears,
  arrive,
  byRole,
  enter,
  exactly,
  headed,
  instance,
  openSite,
  page,
  press,
  see,
  show,
} from '../../support/browser/site.ts';
import { operatorToken } from '../../support/operators.ts';
import { isSampled } from '../../support/sampled.ts';

let promptId: string;
let secretId: string;

openSite({ sample: true });

beforeAll(async () => {
  const call = { name: 'greeting', label: 'production' };
  promptId = (await instance.post('/api/prompt/get-compiled', call)).json.res.promptId;
  const gone = { name: 'an older text/for the first reply', prompt: 'Hello' };
  const { prompt } = await ask('prompts-create', gone);
  await ask('prompts-delete', { promptId: prompt.promptId });
  [{ secretId }] = (await ask('secrets-list')).secrets;
  for (const key of ['GONE', 'GONE_WITH_A_LONG_NAME_THAT_TAKES_ROOM']) {
    const { secret } = await ask('secrets-create', { key, value: 'x', tags: [] });
    await ask('secrets-delete', { secretId: secret.secretId });
  }
  // A draft behind the latest version with other variables triggers the warnings.
  await fetch(`${instance.url}/api/admin/prompts/${promptId}/draft`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await operatorToken(instance)}` },
    body: JSON.stringify({ prompt: 'Good day {{name}}', baseVersion: '1.0.0', note: 'A draft' }),
  });
  await arrive();
});

const table = (name: string) => () => appears('table', name);
const heading = (name: string) => () => headed(name);
const field = (name: string | RegExp) => () => page.getByRole('textbox', { name }).waitFor();
const words = (text: string) => () => see(text);

// Each screen by its URL, with content that is visible once it has loaded.
const SCREENS: readonly [name: string, path: string, sign: () => Promise<void>][] = [
  ['the list of prompts', '/prompts', table('Prompts')],
  ['deleted prompts', '/prompts/deleted', table('Deleted prompts')],
  ['a new prompt', '/prompts/new', field('Template')],
  ['a prompt', '/prompts/PROMPT', words('draft saved')],
  ['trying a prompt', '/prompts/PROMPT?tab=try', heading('Compiled')],
  ['using a prompt', '/prompts/PROMPT?tab=use', heading('Python')],
  ['comparing', '/prompts/PROMPT/compare', () => byRole('insertion').first().waitFor()],
  ['a new version', '/prompts/PROMPT/new-version', field('Template')],
  ['usage', '/prompts/PROMPT/usage', table('Access history')],
  ['no such page', '/nowhere', words('There is no such page')],
  ['overview', '/', () => byRole('region', 'Last changes').waitFor()],
  ['secrets', '/secrets', table('Secrets')],
  ['a secret', '/secrets/SECRET', heading('Values')],
  ['no such secret', '/secrets/none', words('There is no such secret')],
  [
    'a new secret',
    '/secrets',
    async () => {
      await press('New secret');
      await exactly('textbox', 'Key').fill('PATH');
      await words('changes which code')();
    },
  ],
  [
    'an import',
    '/secrets/import',
    async () => {
      await enter('The .env text', 'A=$b\noops\nPATH=x\nDATABASE_URL=y');
      await byRole('checkbox', 'Import DATABASE_URL').waitFor();
    },
  ],
  ['deleted secrets', '/secrets/deleted', table('Deleted secrets')],
  [
    'a notification',
    '/secrets/deleted',
    async () => {
      await byRole('button', 'Restore').first().click();
      await see('is restored.', byRole('alert'));
    },
  ],
  ['API keys', '/api-keys', table('API keys')],
  [
    'a new API key',
    '/api-keys',
    async () => {
      await press('New API key');
      await page.getByLabel('Read secrets', { exact: true }).check();
    },
  ],
  ['operators', '/operators', table('Operators')],
  ['audit', '/audit', table('Audit entries')],
];

describe.each([1440, 360].map((width, window) => ({ width, window })))(
  'in a window of $width pixels',
  ({ width, window }) => {
    beforeAll(() => page.setViewportSize({ width, height: 800 }));

    test.each(SCREENS.map(([name, path, sign], screen) => ({ name, path, sign, screen })))(
      '$name is accessible in light and dark, fits the width, and has targets of sufficient size',
      async ({ path, sign, screen }) => {
        await show(path.replace('PROMPT', promptId).replace('SECRET', secretId));
        await sign();
        if (isSampled(screen, window)) expect(await violationsInBothSchemes(page)).toEqual([]);
        expect(await scrollsSideways(page)).toBe(false);
        expect(await cutCells(page)).toEqual([]);
        expect(await smallTargets(page)).toEqual([]);
      },
    );
  },
);
