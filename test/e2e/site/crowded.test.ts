import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { cutCells } from '../../support/browser/screen-checks.ts';
import {
  appears,
  arrive,
  byRole,
  dialog,
  follow,
  gone,
  hotkey,
  instance,
  load,
  menu,
  openSite,
  page,
  press,
  see,
  show,
} from '../../support/browser/site.ts';
import { daysAgo } from '../../support/days.ts';
import { changeAt } from '../../support/rows/table.ts';

const LONG = `long/${'without-a-blank-'.repeat(24)}`;
const CROWDED = promptIdOf('crowded');

const content = { prompt: 'Hello {{user}}', note: '', tags: ['support', 'group-1'], metaProperties: {} };

openSite();

beforeAll(async () => {
  const { table } = instance;
  await createPrompt(table, changeAt(daysAgo(14)), { name: 'crowded', ...content });
  await publishVersion(table, changeAt(daysAgo(4)), CROWDED, { ...content, bump: 'minor' });
  await setLabel(table, changeAt(daysAgo(9)), CROWDED, 'production', '1.0.0');
  await setLabel(table, changeAt(daysAgo(3)), CROWDED, 'staging', '1.1.0');
  await setLabel(table, changeAt(daysAgo(2)), CROWDED, 'canary', '1.1.0');
  await instance.post('/api/prompt/get-compiled', { name: 'crowded' });
  await instance.settled();
  await createPrompt(table, changeAt(), { name: LONG, ...content, tags: [] });
  for (const n of [1, 2, 3]) {
    await setLabel(table, changeAt(), promptIdOf(LONG), `label-${n}-${'l'.repeat(100)}`, '1.0.0');
  }
  await importSecrets(table, changeAt(), [{ key: 'K'.repeat(500), value: 'x' }], ['database']);
  await arrive();
});

const MARKS = '[aria-hidden] > div > svg > circle';

const boxes = (locator: string): Promise<{ left: number; right: number }[]> =>
  page.locator(locator).evaluateAll((elements) =>
    elements.map((element) => {
      const { left, right } = element.getBoundingClientRect();
      return { left, right };
    }),
  );

test('what happened on days of the chart is a dot each, with its text where it is pointed to and in a list beside', async () => {
  await show(`/prompts/${CROWDED}/usage`);
  await page.locator(MARKS).nth(4).waitFor();
  await page.locator(MARKS).filter({ hasText: 'canary: set to 1.1.0' }).first().waitFor();
  await byRole('tab', 'Changes').click();
  await see('canary: set to 1.1.0', byRole('table', 'Changes'));
});

test('the chart of a prompt without fetches shows the marks too', async () => {
  await show(`/prompts/${promptIdOf(LONG)}/usage`);
  await page.locator(MARKS).first().waitFor();
});

test.each([1440, 768])(
  'in %i pixels a long name leaves enough room for the other columns of the audit log',
  async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await show(`/audit?subject=${promptIdOf(LONG)}`);
    const rows = byRole('table', 'Audit entries').locator('tbody tr');
    await rows.nth(3).waitFor();
    const heights = await rows.evaluateAll((all) => all.map(({ offsetHeight }) => offsetHeight));
    expect(Math.max(...heights)).toBeLessThan(200);
    expect(await cutCells(page)).toEqual([]);
  },
);

const cutTexts = (table: string, selector: string): Promise<string[]> =>
  byRole('table', table)
    .locator(selector)
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => element.textContent ?? ''),
    );

test.each([1440, 768])(
  'in %i pixels a long name takes no room from the tags and labels of others',
  async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await show('/prompts');
    await appears('link', 'crowded');
    const cut = await cutTexts('Prompts', '.mantine-Badge-label');
    expect(cut.filter((text) => !text.includes('lll'))).toEqual([]);
    await show('/secrets');
    await appears('table', 'Secrets');
    expect(await cutTexts('Secrets', '.mantine-Badge-label')).toEqual([]);
  },
);

test('the version of a label is visible, however long the label is', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  // A search covers folders too.
  await show('/prompts?q=o');
  await appears('link', 'crowded');
  const badges = await boxes('table .mantine-Badge-root:has-text("→"):visible');
  const versions = await boxes('table .mantine-Badge-root .cv-mono:visible');
  expect(versions).toHaveLength(6);
  for (const [index, { right }] of versions.entries()) {
    expect(right).toBeLessThanOrEqual(badges[index]?.right ?? 0);
  }
});

// Text that overflows its container: a dialog, a message, an option.
const wordsOutside = (selector: string): Promise<string[]> =>
  page.evaluate(`Array.from(document.querySelectorAll(${JSON.stringify(selector)})).flatMap((frame) => {
    const { left, right } = frame.getBoundingClientRect();
    const range = document.createRange();
    const walker = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
    const outside = [];
    while (walker.nextNode()) {
      range.selectNodeContents(walker.currentNode);
      const box = range.getBoundingClientRect();
      const isSeen = box.width > 0 && walker.currentNode.parentElement.checkVisibility();
      if (isSeen && (box.left < left - 1 || box.right > right + 1)) outside.push(walker.currentNode.data);
    }
    return outside;
  })`);

const toConfirm = () => dialog().getByLabel(/to confirm/);
const DIALOG = '[role=dialog], [role=dialog] label, [role=dialog] [role=status], [role=dialog] [role=alert]';

test.each([1280, 360])(
  'in %i pixels no word of a dialog or a message is cut, however long',
  async (width) => {
    const name = `dialogs/${width}/${'without-a-blank-'.repeat(20)}`;
    const label = 'l'.repeat(120);
    const { table } = instance;
    const text = { ...content, prompt: `Hello {{${'v'.repeat(100)}}}` };
    await createPrompt(table, changeAt(), { name, ...text, version: '113.20.4' });
    await publishVersion(table, changeAt(), promptIdOf(name), { ...content, bump: 'minor' });
    await setLabel(table, changeAt(), promptIdOf(name), label, '113.20.4');
    await page.setViewportSize({ width, height: 800 });
    await show(`/prompts/${promptIdOf(name)}?version=113.20.4`);
    await menu('Actions for version 113.20.4', /again/);
    await see('may break');
    expect(await wordsOutside(DIALOG)).toEqual([]);
    await hotkey('Escape');
    await menu(`Actions for the label ${label}`, /Remove/);
    await toConfirm().waitFor();
    expect(await wordsOutside(DIALOG)).toEqual([]);
    await hotkey('Escape');
    await menu('More actions', 'Delete the prompt');
    await toConfirm().fill(name);
    expect(await wordsOutside(DIALOG)).toEqual([]);
    await press('Delete', dialog());
    await see('It can be restored for');
    expect(await wordsOutside('.mantine-Notification-root')).toEqual([]);
    await load('/secrets?q=KKK');
    await follow(/^KKK/);
    for (const opener of ['New value', 'Edit the tags']) {
      await press(opener);
      await dialog().waitFor();
      expect(await wordsOutside(DIALOG)).toEqual([]);
      await press('Cancel');
      await gone(dialog());
    }
  },
);
