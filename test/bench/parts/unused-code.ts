import { gzipSync } from 'node:zlib';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { send } from '../../support/admin.ts';
import { openBrowser, visit } from '../../support/browser/browser.ts';
import { openInstance } from '../../support/instance.ts';
import type { Figure } from '../figures.ts';

const A_PROMPT = `/prompts/${promptIdOf('greeting')}`;
const EDITOR = `${A_PROMPT}/new-version`;
const BOUND_KB = 205;
const EDITOR_BOUND_KB = 295;

interface Script {
  readonly source?: string;
  readonly functions: readonly {
    readonly ranges: readonly {
      readonly count: number;
      readonly startOffset: number;
      readonly endOffset: number;
    }[];
  }[];
}

/** The characters of a script that did not run. Its functions and their ranges are listed from the outer to the inner. */
const unusedOf = ({ source = '', functions }: Script): number => {
  const ran = new Uint8Array(source.length).fill(1);
  for (const { count, startOffset, endOffset } of functions.flatMap(({ ranges }) => ranges))
    ran.fill(Math.min(count, 1), startOffset, endOffset);
  return ran.reduce((sum, each) => sum + 1 - each, 0);
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0) / 1_000;

/**
 * The code that each screen has loaded, but not run, once it is shown after a reload: the part of each script that did
 * not run, of its compressed size.
 */
export const unusedCode = async (): Promise<Figure[]> => {
  const [browser, instance] = await Promise.all([openBrowser(), openInstance({ sample: true })]);
  try {
    const { page } = await visit(browser, instance, { path: '/' });
    const [{ secretId }] = (await send(instance, 'secrets-list')).json.res.secrets;
    const [{ keyId }] = (await send(instance, 'keys-list')).json.res.keys;
    const paths = [
      '/',
      '/prompts',
      A_PROMPT,
      EDITOR,
      `${A_PROMPT}/usage`,
      '/secrets',
      `/secrets/${secretId}`,
    ];
    paths.push('/vault', '/api-keys', `/api-keys/${keyId}`, '/operators', '/audit');
    const figures: Figure[] = [];
    for (const path of paths) {
      await page.coverage.startJSCoverage();
      await page.goto(instance.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const scripts = (await page.coverage.stopJSCoverage()).filter(({ url }) => url.includes('/assets/'));
      const sizes = scripts.map(({ source = '' }) => gzipSync(source).length);
      const unused = scripts.map(unusedOf);
      const parts = scripts.map(
        ({ source = ' ' }, i) => ((unused[i] ?? 0) / source.length) * (sizes[i] ?? 0),
      );
      const loaded = sum(scripts.map(({ source = '' }) => source.length));
      figures.push({
        name: `admin UI: unused code of ${path}, gzipped`,
        measured: sum(parts),
        unit: 'KB',
        bound: path === EDITOR ? EDITOR_BOUND_KB : BOUND_KB,
        from: `of ${sum(sizes).toFixed(0)} KB in ${scripts.length} scripts; ${sum(unused).toFixed(0)} of ${loaded.toFixed(0)} KB as they are`,
      });
    }
    return figures;
  } finally {
    await browser.close();
    await instance.stop();
  }
};
