// Checks of every screen: accessibility rules, and that nothing is cut off.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

// During a refetch or transition colors are not final; before fonts have loaded, neither is the layout.
const settled = async (page: Page): Promise<void> => {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  // Not their `finished`: Chromium never settles it if the element is removed meanwhile.
  await page.evaluate(`(async () => {
    const runs = ({ playState, effect }) => playState !== 'finished' && effect.getComputedTiming().endTime !== Infinity;
    while (document.getAnimations().some(runs)) await new Promise(requestAnimationFrame);
  })()`);
};

const CONTROLS =
  'a[href], button, select, textarea, input:not([type=hidden]), [role=tab], [role=menuitem], [role=option]';

/**
 * The controls of a page that are smaller than 24 pixels in one direction. A link is as high as its line in a sentence,
 * a table or a list, where axe checks its distance to others; a check box counts with its label.
 */
export const smallTargets = async (page: Page): Promise<string[]> => {
  await settled(page);
  return page.evaluate(`Array.from(document.querySelectorAll(${JSON.stringify(CONTROLS)})).flatMap((control) => {
    const style = getComputedStyle(control);
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    if (style.display === 'inline' || control.matches('.mantine-Anchor-root, .cv-skip:not(:focus)')) return [];
    const boxes = [control, ...(control.labels ?? [])].map((part) => part.getBoundingClientRect());
    if (boxes[0].width <= 1) return [];
    const span = (from, to) => Math.max(...boxes.map((box) => box[to])) - Math.min(...boxes.map((box) => box[from]));
    const [width, height] = [span('left', 'right'), span('top', 'bottom')];
    if (Math.min(width, height) >= 23.9) return [];
    return [(control.ariaLabel ?? control.textContent) + ': ' + control.outerHTML.slice(0, 80) + ' ' + Math.round(width) + ' x ' + Math.round(height)];
  })`);
};

const seriousOf = async (page: Page, rules?: readonly string[]): Promise<string[]> => {
  await settled(page);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const options = {
    resultTypes: ['violations'],
    ...(rules === undefined
      ? { rules: { 'target-size': { enabled: true } } }
      : { runOnly: { type: 'rule', values: rules } }),
  };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`);
};

/** The accessibility rules that the page violates with a serious or critical impact, and the elements. */
export const seriousViolations = (page: Page): Promise<string[]> => seriousOf(page);

const inScheme = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
};

/** The violations of a page in the light scheme, and those of its colors in the dark one. */
export const violationsInBothSchemes = async (page: Page): Promise<string[]> => {
  const light = await seriousViolations(page);
  await inScheme(page, 'dark');
  const dark = await seriousOf(page, ['color-contrast', 'link-in-text-block']);
  await inScheme(page, 'light');
  return [...light, ...dark.map((violation) => `dark: ${violation}`)];
};

/** Sets each date and time on the page to its widest text, independent of the current time. */
const widenDates = async (page: Page): Promise<void> => {
  await settled(page);
  await page.evaluate(`for (const time of document.querySelectorAll('time')) {
    const text = time.firstChild;
    if (/\\d{4}, /.test(text.data)) text.data = 'May 30, 2088, 10:08 AM';
    else if (/\\d{4}/.test(text.data)) text.data = 'May 30, 2088';
    else text.data = '30 min. ago';
  }`);
};

/** The cells of tables that reach beyond the frame of their table, or whose content reaches beyond them. */
export const cutCells = async (page: Page): Promise<string[]> => {
  await widenDates(page);
  return page.evaluate(`Array.from(document.querySelectorAll('table')).flatMap((table) => {
    const { right } = table.parentElement.getBoundingClientRect();
    if (table.parentElement.clientWidth <= 1) return [];
    return Array.from(table.querySelectorAll('th, td'))
      .filter((cell) => cell.getBoundingClientRect().right > right + 1 || cell.scrollWidth > cell.clientWidth + 1)
      .map((cell) => table.ariaLabel + ': ' + cell.textContent);
  })`);
};

/** Whether the page is wider than the window. */
export const scrollsSideways = async (page: Page): Promise<boolean> => {
  await widenDates(page);
  return page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
};

/** All that a page shows, and what it has put into its address and storage. */
export const keptIn = (page: Page): Promise<string> =>
  page.evaluate(
    'JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + location.href + document.documentElement.outerHTML',
  );
