// Takes the screenshots of the admin UI in docs/screenshots, with data of three weeks.
import { mkdirSync } from 'node:fs';
import { promptIdOf } from '../../lambdas/core/identifiers.ts';
import { setLabel } from '../../lambdas/store/prompts/labels.ts';
import { createPrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { publishVersion } from '../../lambdas/store/prompts/publishing.ts';
import { importSecrets } from '../../lambdas/store/secrets/import.ts';
import { recordAccess } from '../../lambdas/store/usage/accesses.ts';
import { openBrowser, visit } from '../support/browser/browser.ts';
import { daysAgo } from '../support/days.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';
import { changeAt } from '../support/rows/table.ts';

const OUT = 'docs/screenshots';
const DAYS = 21;
const GREETING = promptIdOf('greeting');
const SCREENS = {
  overview: '/',
  prompts: '/prompts',
  prompt: `/prompts/${GREETING}`,
  'new-version': `/prompts/${GREETING}/new-version`,
  usage: `/prompts/${GREETING}/usage?by=version`,
  secrets: '/secrets',
  'api-keys': '/api-keys',
  audit: '/audit',
} as const;

const content = (prompt: string, note: string, tags: readonly string[]) => ({
  prompt,
  note,
  tags,
  metaProperties: { model: 'small', temperature: 0.2 },
});

const makePrompts = async ({ table }: TestInstance): Promise<void> => {
  const tags = ['web', 'onboarding'];
  const first = content('Hello {{user}}!', 'The first words', tags);
  await createPrompt(table, changeAt(daysAgo(DAYS)), { name: 'greeting', ...first });
  for (const [days, prompt, note] of [
    [14, 'Hello {{user}}, welcome to {{place}}.', 'Say where they have arrived'],
    [4, 'Welcome to {{place}}, {{user}}. How can we help?', 'End with a question'],
  ] as const) {
    const change = changeAt(daysAgo(days));
    await publishVersion(table, change, GREETING, { ...content(prompt, note, tags), bump: 'minor' });
  }
  await setLabel(table, changeAt(daysAgo(9)), GREETING, 'production', '1.1.0');
  await setLabel(table, changeAt(daysAgo(3)), GREETING, 'staging', '1.2.0');
  for (const name of ['support-reply', 'summary', 'title']) {
    const text = content(`Write a ${name} of {{text}}.`, 'First draft', ['support']);
    await createPrompt(table, changeAt(daysAgo(12)), { name, ...text });
  }
};

const makeUse = async (instance: TestInstance): Promise<void> => {
  const web = await instance.newKey({ name: 'web' });
  await instance.newKey({ name: 'nightly report', permissions: ['prompts'] });
  for (let days = DAYS - 1; days >= 0; days--) {
    for (let n = 0; n < 6 + ((days * 7) % 11); n++) {
      await recordAccess(instance.table, {
        at: new Date(daysAgo(days).getTime() - n * 1_000),
        requestId: `${days}-${n}`,
        promptId: n % 5 === 4 ? promptIdOf('summary') : GREETING,
        version: n % 5 === 4 ? '1.0.0' : versionOn(days),
        apiKeyId: web.keyId,
        apiKeyName: 'web',
        sourceIp: '203.0.113.7',
        userAgent: 'cuevault/0.1.0',
        compiled: true,
        metaProperties: { session: `s${n}` },
      });
    }
  }
  await instance.post('/api/vault/get-secrets', { tags: ['llm'] }, web.apiKey);
  await instance.settled();
};

const versionOn = (days: number): string => (days > 13 ? '1.0.0' : days > 3 ? '1.1.0' : '1.2.0');

const makeSecrets = async ({ table }: TestInstance): Promise<void> => {
  const value = 'sample';
  await importSecrets(table, changeAt(daysAgo(DAYS)), [{ key: 'OPENAI_API_KEY', value }], ['llm']);
  await importSecrets(table, changeAt(daysAgo(6)), [{ key: 'DATABASE_URL', value }], ['database']);
};

const instance = await openInstance({ consumes: 'after-writes' });
const browser = await openBrowser();
try {
  await makePrompts(instance);
  await makeSecrets(instance);
  await makeUse(instance);
  mkdirSync(OUT, { recursive: true });
  const { page, close } = await visit(browser, instance, { viewport: { width: 1200, height: 760 } });
  for (const [name, path] of Object.entries(SCREENS)) {
    await page.goto(instance.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: `${OUT}/${name}.png`, animations: 'disabled' });
  }
  await close();
} finally {
  await browser.close();
  await instance.stop();
}
