import { revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { ask } from '../../support/admin.ts';
import type { Visit } from '../../support/browser/browser.ts';
import {
  absent,
  accessible,
  addPrompt,
  appears,
  arrive,
  byRole,
  dialog,
  disabled,
  enter,
  exactly,
  follow,
  getCompiled,
  gone,
  hotkey,
  instance,
  menu,
  openSite,
  page,
  press,
  see,
  show,
  signedIn,
  tick,
} from '../../support/browser/site.ts';
import { changeAt } from '../../support/rows/table.ts';
import { fetchPrompt } from '../../support/scenarios/admin-world.ts';

let promptId: string;
let web: string;

openSite();

beforeAll(async () => {
  const body = { name: 'greeting', prompt: 'Hello {{user}}', label: 'production' };
  ({ promptId } = await addPrompt(body));
  const params = { promptId };
  await ask('versions-publish', {
    ...params,
    prompt: 'Hi {{user}} in {{place}}',
    bump: 'minor',
    note: 'Says where',
  });
  const compiling = { shouldCompile: true, variables: { user: 'Ada' } };
  const asked = { ...compiling, label: 'production', times: 2, name: 'web' };
  ({ apiKey: web } = await fetchPrompt(promptId, asked));
  const { keyId } = await fetchPrompt(promptId, { label: 'production', name: 'revoked since' });
  await revokeApiKey(instance.table, changeAt(), keyId);
  await fetchPrompt(promptId, { name: 'follower' });
  await fetchPrompt(promptId, { version: '1.0.0', name: 'pinned' });
  await arrive({ groups: ['editor'] });
  await show(`/prompts/${promptId}`);
});

const affected = () => byRole('region', 'Who is affected', dialog());
const served = async () => (await getCompiled({ name: 'greeting', label: 'production' })).version;
const publishButton = (text: RegExp) => byRole('button', text, dialog());
const open = async (label: string, item: string) => {
  await menu(`Actions for the label ${label}`, item);
};
const close = async () => {
  await press('Close', dialog());
  await gone(dialog());
};

test('moving a label shows its callers, the variables they do not send, and the differences', async () => {
  await open('production', 'Move to another version');
  await byRole('combobox', 'Version', dialog()).click();
  await byRole('option', '1.1.0').click();
  await see('sends no value for place', affected());
  expect(await affected().textContent()).not.toMatch(/follower|pinned/);
  expect(await dialog().getByRole('insertion').textContent()).toBe('Hi {{user}} in {{place}}');
  await accessible();
});

test('a move that breaks callers says how many, shows itself, and the toast undoes it', async () => {
  await see('This breaks 1 of 1 callers.', dialog().getByRole('status'));
  await press('Move the label', dialog());
  await gone(dialog());
  const row = byRole('listitem').filter({ has: byRole('button', /label production/) });
  expect(await row.getByRole('link').textContent()).toBe('1.1.0');
  expect(await served()).toBe('1.1.0');
  await press('Back to 1.0.0', byRole('alert'));
  await see('production serves 1.0.0 again. Callers that ask for the latest version still get 1.1.0.');
  expect(await served()).toBe('1.0.0');
});

test('the history of a label lists its moves, and the last one can be undone at once in the panel', async () => {
  await open('production', 'History');
  await see('production: 1.1.0 → 1.0.0', dialog());
  await byRole('link', 'Compare', dialog()).first().waitFor();
  await appears('button', 'Back to 1.1.0', dialog());
  await close();
  await press('Back to 1.1.0: production');
  await see('What 1.1.0 changes compared with 1.0.0', dialog());
  // Callers that ask for the latest version get it already.
  await absent(dialog().getByRole('checkbox'));
  await press('Back to 1.1.0', dialog());
  await see('production serves 1.1.0 again.');
  // Nothing in the message leads back to the bad version.
  await absent(exactly('button', 'Back to 1.0.0'));
  expect(await served()).toBe('1.1.0');
});

test('removing a label and deleting a version or a prompt list the callers that will fail', async () => {
  await open('production', 'Remove');
  await appears('link', 'web', affected());
  await close();
  await follow(/^1\.0\.0 /);
  await menu('Actions for version 1.0.0', 'Delete this version');
  await appears('link', 'pinned', affected());
  expect(await affected().getByRole('link').count()).toBe(1);
  await close();
  await menu('More actions', 'Delete the prompt');
  await see('4 API keys asked for this prompt', affected());
  await close();
});

test('publishing lists who gets the version immediately, and moves a label in the same step', async () => {
  await show(`/prompts/${promptId}/new-version`);
  await enter('Template', 'Hey {{user}}');
  await press('Review and publish');
  await dialog().getByText('Minor · 1.2.0').click();
  await appears('link', 'follower', affected());
  expect(await affected().getByRole('link').count()).toBe(1);
  await tick(/^Point a label/, dialog());
  await appears('link', 'web', affected());
  await see('which production serves now', dialog());
  await accessible();
  await press('Publish 1.2.0 and point production to it', dialog());
  await see('Version 1.2.0 is published, and production serves it.');
  expect(await served()).toBe('1.2.0');
  const toast = page.getByRole('alert').filter({ hasText: 'Version 1.2.0 is published' });
  await press('Back to 1.1.0', toast);
  await see('production serves 1.1.0 again.');
});

test('rolling back lists the callers, and reaches those that ask for the latest version too, in one step', async () => {
  await show(`/prompts/${promptId}`);
  await open('production', 'Move to another version');
  await byRole('combobox', 'Version', dialog()).click();
  await appears('option', '1.2.0');
  expect(await page.getByRole('option').allTextContents()).toEqual([
    '1.2.0just now by editor@example.com',
    '1.1.0serves nowjust now by admin@example.comSays where',
    '1.0.0just now by admin@example.com',
  ]);
  await accessible();
  await byRole('option', '1.2.0').click();
  await press('Move the label', dialog());
  await gone(dialog());
  await press('Back to 1.1.0: production');
  await tick(/^Publish 1\.1\.0 again as 2\.0\.0,/, dialog());
  await appears('link', 'follower', affected());
  await press('Back to 1.1.0', dialog());
  await gone(dialog());
  const published = await served();
  const latest = await instance.post('/api/prompt/get-compiled', { promptId });
  expect(latest.json.res).toMatchObject({ version: published, prompt: expect.stringContaining('place') });
  expect(published).not.toBe('1.1.0');
  const params = { promptId, label: 'production' };
  await ask('labels-set', { ...params, version: '1.1.0' });
});

test('the users of a version include a key that has received another one since', async () => {
  await instance.post('/api/prompt/get-compiled', { promptId, label: 'production' }, web);
  await instance.settled();
  await show(`/prompts/${promptId}/usage?version=1.0.0`);
  await byRole('tab', 'API keys').click();
  const keys = byRole('table', 'Calls by API key');
  await appears('link', 'pinned', keys);
  await absent(keys.getByText('follower'));
  await follow('web', keys);
  await gone(keys.getByText('pinned'));
  await show(`/prompts/${promptId}`);
});

describe('a protected label', () => {
  let admin: Visit;
  beforeAll(async () => {
    admin = await signedIn({ path: `/prompts/${promptId}` });
  });

  test('is protected by an administrator, who sees which callers this does not cover', async () => {
    const { page } = admin;
    await menu('Actions for the label production', 'Protect', page);
    await see('Callers that ask for no label are not protected', page.getByRole('dialog'));
    await press('Protect the label', page);
    await see('production is protected.', page);
    await byRole('img', 'Protected', page).first().waitFor();
  });

  test('is marked for an editor, with a reason instead of what only administrators may do', async () => {
    await page.reload();
    await press('Actions for the label production');
    await see('Only administrators can set, move or remove the protected label production.');
    for (const name of ['Move to another version', 'Remove'])
      await disabled(page.getByRole('menuitem', { name, exact: true }));
    await absent(byRole('menuitem', /Protect|protection/));
    await accessible();
    await hotkey('Escape');
    await press('More actions');
    await disabled(byRole('menuitem', 'Delete the prompt'));
    await hotkey('Escape');
  });

  test('does not move when an editor publishes', async () => {
    await show(`/prompts/${promptId}/new-version`);
    await enter('Template', 'Good day {{user}}');
    await press('Review and publish');
    await tick(/^Point a label/, dialog());
    await see('Only administrators can set, move or remove', dialog());
    await disabled(publishButton(/^Publish .* and point production/));
    await byRole('checkbox', /^Point a label/, dialog()).uncheck();
    await publishButton(/^Publish /).click();
    await see(/is published/);
    expect(await served()).toBe('1.1.0');
  });
});
