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
  exactly,
  follow,
  getCompiled,
  gone,
  instance,
  load,
  menu,
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
  await fetchPrompt(instance, ids[0] ?? '', { ...asked, name: 'web', times: 2 });
  await arrive({ groups: ['editor'], path: '/prompts?folder=support' });
});

const served = (label: string) =>
  Promise.all(NAMES.map(async (name) => (await getCompiled({ name, label }))?.version ?? 'none'));
const reviewButton = (count: string) => exactly('button', `Review ${count}`);
const moveButton = (count: string) => byRole('button', `Move ${count}`, dialog());
const affected = () => byRole('region', 'Who is affected', dialog());
const cancel = async () => {
  await press('Cancel', dialog());
  await gone(dialog());
};
/** Points production elsewhere than the screen knows. */
const moveElsewhere = (index: number, version: string, expected: string) =>
  ask('labels-set', { promptId: ids[index] ?? '', label: 'production', version, expected });

test('the moves of a folder are asked about once, when they are reviewed, with the callers that break', async () => {
  const asked: string[] = [];
  page.on('request', (request) => request.url().endsWith('/effects') && asked.push(request.url()));
  await menu('More actions', 'Move labels');
  await choose('To the version of', 'staging');
  expect(await byRole('checkbox', 'Select support/title', page).isChecked()).toBe(false);
  await absent(byRole('button', /^Review/));
  await tick('Select all listed prompts');
  await accessible();
  expect(asked).toEqual([]);
  await reviewButton('2 moves').click();
  await dialog().getByText('New variable place: callers must send a value.').nth(1).waitFor();
  await see('This breaks 1 of 1 callers.', dialog());
  await see('support/reply: breaks', affected());
  expect(asked).toHaveLength(1);
  await accessible();
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await scrollsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 900 });
  await cancel();
});

test('moves are left out and compared', async () => {
  await byRole('checkbox', 'Select support/reply').uncheck();
  await reviewButton('1 move').click();
  await see('No API key asked these prompts for the label production', affected());
  await cancel();
  await tick('Select support/reply');
  const compare = exactly('link', 'Compare', rowWith('support/reply'));
  expect(await compare.getAttribute('href')).toMatch(/compare\?from=1\.0\.0&to=2\.0\.0$/);
});

test('a set whose labels are all there by now moves nothing, and says so', async () => {
  await reviewButton('2 moves').click();
  for (const index of [0, 1]) await moveElsewhere(index, '2.0.0', '1.0.0');
  await moveButton('2 labels').click();
  await see('Every label was already there.');
  await see('Nothing to move');
});

test('a set whose last row moves elsewhere after the review is not applied, names that row, and is read again', async () => {
  for (const index of [0, 1]) await moveElsewhere(index, '1.0.0', '2.0.0');
  const params = { promptId: ids[1] ?? '' };
  await ask('versions-publish', { ...params, prompt: 'Hello', bump: 'major' });
  await load('/prompts?folder=support');
  await menu('More actions', 'Move labels');
  await choose('To the version of', 'staging');
  await tick('Select all listed prompts');
  await reviewButton('2 moves').click();
  await moveButton('2 labels').and(page.locator(':enabled')).waitFor();
  await moveElsewhere(1, '3.0.0', '1.0.0');
  await moveButton('2 labels').click();
  await see('of "support/title" points to 3.0.0 now', dialog().getByRole('alert'));
  await accessible();
  expect(await served('production')).toEqual(['1.0.0', '3.0.0']);
  await cancel();
  await rowWith('downgrade').getByText('3.0.0').last().waitFor();
  await reviewButton('2 moves').click();
  await moveButton('2 labels').click();
  await see('2 labels moved in one step.');
  expect(await served('production')).toEqual(['2.0.0', '2.0.0']);
});

test('selected prompts move in one step, which the audit log names, and are undone in one', async () => {
  await show('/prompts?folder=support');
  // Without the message of the move before.
  await page.reload();
  for (const name of NAMES) await tick(`Select ${name}`);
  await follow('Move labels', byRole('group', 'Selected prompts'));
  await see('2 selected prompts');
  await choose('Label to move', 'preview');
  await tick('Select support/reply');
  await tick('Select support/title');
  await reviewButton('2 moves').click();
  await moveButton('2 labels').click();
  await see('2 labels moved in one step.');
  expect(await served('preview')).toEqual(['2.0.0', '3.0.0']);
  await press('Undo all');
  await see('Undone:');
  expect(await served('preview')).toEqual(['none', 'none']);
  await accessible();
  await show('/audit');
  const row = rowWith('moved 2 labels of prompts at once').first();
  await row.getByText('preview').last().waitFor();
});

test('viewers see no way to move labels', async () => {
  const viewer = await signedIn({ groups: ['viewer'], path: '/prompts?folder=support' });
  await appears('table', 'Prompts', viewer.page);
  await press('More actions', viewer.page);
  expect(await viewer.page.getByRole('menuitem').allTextContents()).toEqual([
    'Find a compiled text',
    'Deleted prompts',
  ]);
  await absent(viewer.page.getByRole('checkbox'));
  await viewer.close();
});
