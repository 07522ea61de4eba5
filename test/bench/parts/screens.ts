import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { daysAfter } from '../../../lambdas/core/days.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import { openBrowser, visit } from '../../support/browser/browser.ts';
import { show } from '../../support/browser/site.ts';
import { openInstance, type TestInstance } from '../../support/instance.ts';
import { secretsOf } from '../../support/rows/many-secrets.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { accessOf } from '../../support/rows/usage.ts';
import type { Figure } from '../figures.ts';

const PROMPTS = 2_000;
const SECRETS = 1_000;
const ACCESSES = 1_000;
const DAYS = 28;
const BOUND_S = 1;
const DEADLINE_MS = 20_000;
const QUIET_MS = 1_000;

const rowOf = (table: string): string => `table[aria-label="${table}"] tbody tr`;

const PROMPT_ID = promptIdOf('prompt 1000');
const A_PROMPT = `/prompts/${PROMPT_ID}`;

// Each screen, with content that is visible once it is usable.
const SCREENS: readonly [name: string, path: string, sign: string][] = [
  ['overview', '/', 'main svg text'],
  ['prompts', '/prompts', rowOf('Prompts')],
  ['a prompt', A_PROMPT, '[role=tabpanel] section[aria-label^=Template]'],
  ['a new version', `${A_PROMPT}/new-version`, '.cm-content[aria-label=Template]'],
  ['usage of a prompt', `${A_PROMPT}/usage`, rowOf('Access history')],
  ['secrets', '/secrets', rowOf('Secrets')],
  ['API keys', '/api-keys', rowOf('API keys')],
  ['audit', '/audit', rowOf('Audit entries')],
];

/** Checks every frame: the library's own polling slows down to every half second. */
const shown = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(`new Promise((resolve, reject) => {
    setTimeout(reject, ${DEADLINE_MS}, new Error(${JSON.stringify(`${selector} was not shown.`)}));
    const look = () => document.querySelector(${JSON.stringify(selector)}) ? resolve() : requestAnimationFrame(look);
    look();
  })`);

const fill = async (instance: TestInstance): Promise<void> => {
  const { table } = instance;
  for (let i = 0; i < PROMPTS; i++) {
    await createPrompt(table, changeAt(), { ...content('Hello {{user}}'), name: `prompt ${i}` });
  }
  await importSecrets(table, changeAt(), secretsOf(SECRETS));
  for (let i = 0; i < ACCESSES; i++) {
    const at = daysAfter(new Date(Date.now() - i), -(i % DAYS));
    await recordAccess(table, accessOf({ promptId: PROMPT_ID, at, apiKeyId: 'measured' }));
  }
  await instance.settled();
};

/** The time of some work. A screen is usable before its last request is answered, so the next one begins later. */
const figure = async (name: string, work: () => Promise<unknown>): Promise<Figure> => {
  const begun = performance.now();
  await work();
  const measured = (performance.now() - begun) / 1_000;
  await sleep(QUIET_MS);
  return { name: `admin UI: ${name}`, measured, bound: BOUND_S, unit: 's' };
};

const measure = async (page: Page): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const [name, path, sign] of SCREENS) {
    const open = () => show(path, page).then(() => shown(page, sign));
    figures.push(await figure(`${name}, first opening`, open));
  }
  await show('/prompts', page);
  const search = async () => {
    await page.getByLabel('Search names, tags, models and notes').fill('prompt 1999');
    await shown(page, `${rowOf('Prompts')}:only-child`);
  };
  figures.push(await figure(`search among ${PROMPTS} prompts`, search));
  return figures;
};

/** The time until each admin UI screen is usable, in an instance with many prompts and secrets. */
export const screens = async (): Promise<Figure[]> => {
  const [browser, instance] = await Promise.all([openBrowser(), openInstance({ consumes: 'after-writes' })]);
  try {
    await fill(instance);
    // A screen that is not measured, so that each measured one is opened for the first time.
    const { page } = await visit(browser, instance, { path: '/prompts/deleted' });
    await page.getByText('Nothing to restore').waitFor();
    return await measure(page);
  } finally {
    await browser.close();
    await instance.stop();
  }
};
