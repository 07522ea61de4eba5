import { ask } from '../../support/admin.ts';
import { scrollsSideways } from '../../support/browser/screen-checks.ts';
import {
  absent,
  accessible,
  addPrompt,
  appears,
  arrive,
  byRole,
  choose,
  dialog,
  getCompiled,
  gone,
  load,
  openSite,
  page,
  press,
  rowWith,
  see,
  show,
  signedIn,
  tick,
} from '../../support/browser/site.ts';
import { fetchPrompt } from '../../support/scenarios/admin-world.ts';

openSite();

const NAMES = ['support/reply', 'support/title'];
const ids: string[] = [];

beforeAll(async () => {
  for (const name of NAMES) {
    const body = { name, prompt: 'Hello {{user}}', label: 'production' };
    const { promptId } = await addPrompt(body);
    ids.push(promptId);
    const next = { prompt: 'Hello {{user}} in {{place}}', bump: 'major', label: 'staging' };
    await ask('versions-publish', { promptId, ...next });
  }
  const asked = { label: 'production', shouldCompile: true, variables: { user: 'Ada' } };
  await fetchPrompt(ids[0] ?? '', { ...asked, name: 'web', times: 2 });
  await arrive({ groups: ['editor'], path: '/prompts?folder=support' });
});

const served = (label: string) =>
  Promise.all(NAMES.map(async (name) => (await getCompiled({ name, label }))?.version ?? 'none'));
const moveButton = (count: string) => byRole('button', `Move ${count}`, dialog());
const affected = () => byRole('region', 'Who is affected', dialog());
const cancel = async () => {
  await press('Cancel', dialog());
  await gone(dialog());
};
/** Asks to point production to what staging serves, in the selected prompts. */
const review = async () => {
  await press('Move labels');
  await choose('To the version of', 'staging');
};
/** Points production elsewhere than the screen knows. */
const moveElsewhere = (index: number, version: string, expected: string) =>
  ask('labels-set', { promptId: ids[index] ?? '', label: 'production', version, expected });

test('the moves of selected prompts are asked about once, with the callers that break', async () => {
  await tick('Select all listed prompts');
  await press('Move labels');
  await see('This breaks 1 of 1 callers.', dialog());
  const asked: string[] = [];
  page.on('request', (request) => request.url().endsWith('/effects') && asked.push(request.url()));
  await choose('To the version of', 'staging');
  await dialog().getByText('New variable place: callers must send a value.').nth(1).waitFor();
  await see('This breaks 1 of 1 callers.', dialog());
  await see('support/reply: breaks', affected());
  expect(asked.length).toBeLessThanOrEqual(1);
  const moves = dialog()
    .getByRole('listitem')
    .filter({ has: byRole('link', 'Compare') });
  expect(await moves.locator('.cv-mono').allTextContents()).toEqual(['1.0.0', '2.0.0', '1.0.0', '2.0.0']);
  expect(await byRole('link', 'Compare', moves.first()).getAttribute('href')).toMatch(
    /compare\?from=1\.0\.0&to=2\.0\.0$/,
  );
  await accessible();
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await scrollsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 900 });
  await cancel();
});

test('a prompt that is not selected stays as it is, and its callers are not named', async () => {
  await byRole('checkbox', 'Select support/reply').uncheck();
  await review();
  await see('No API key asked for the label production', affected());
  await moveButton('1 label').waitFor();
  await cancel();
  await tick('Select support/reply');
});

test('a set whose labels are all there by now moves nothing, and says so', async () => {
  await review();
  await moveButton('2 labels').and(page.locator(':enabled')).waitFor();
  for (const index of [0, 1]) await moveElsewhere(index, '2.0.0', '1.0.0');
  await moveButton('2 labels').click();
  await see('Every label was already there.');
  await review();
  await see('Nothing to move.', dialog());
  await cancel();
});

test('a set whose last row moves elsewhere after the review is not applied, names that row, and is read again', async () => {
  for (const index of [0, 1]) await moveElsewhere(index, '1.0.0', '2.0.0');
  const params = { promptId: ids[1] ?? '' };
  await ask('versions-publish', { ...params, prompt: 'Hello', bump: 'major' });
  await load('/prompts?folder=support');
  await tick('Select all listed prompts');
  await review();
  await moveButton('2 labels').and(page.locator(':enabled')).waitFor();
  await moveElsewhere(1, '3.0.0', '1.0.0');
  await moveButton('2 labels').click();
  await see('of "support/title" points to 3.0.0 now', dialog().getByRole('alert'));
  expect(await served('production')).toEqual(['1.0.0', '3.0.0']);
  await cancel();
  await see(/production.*3\.0\.0/, rowWith('title'));
  await review();
  await see('downgrade', dialog().getByRole('listitem').filter({ hasText: '3.0.0' }));
  await moveButton('2 labels').click();
  await see('2 labels moved in one step.');
  expect(await served('production')).toEqual(['2.0.0', '2.0.0']);
});

test('a new label is set in one step, which the audit log names, and removed in one', async () => {
  // Without the message of the move before.
  await page.reload();
  for (const name of NAMES) await tick(`Select ${name}`);
  await press('Move labels');
  await choose('Label to move', 'preview');
  await moveButton('2 labels').click();
  await see('2 labels moved in one step.');
  expect(await served('preview')).toEqual(['2.0.0', '3.0.0']);
  await press('Undo all');
  await see('Undone:');
  expect(await served('preview')).toEqual(['none', 'none']);
  await show('/audit');
  const row = rowWith('moved 2 labels of prompts at once').first();
  await row.getByText('preview').last().waitFor();
});

test('viewers see no way to move labels', async () => {
  const viewer = await signedIn({ groups: ['viewer'], path: '/prompts?folder=support' });
  await appears('table', 'Prompts', viewer.page);
  await absent(viewer.page.getByRole('checkbox'));
  await viewer.close();
});
