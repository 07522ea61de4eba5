import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { ask } from '../../support/admin.ts';
import {
  absent,
  addPrompt,
  appears,
  arrive,
  byRole,
  confirm,
  dialog,
  exactly,
  follow,
  gone,
  headed,
  load,
  menu,
  openSite,
  page,
  press,
  see,
  show,
  signedIn,
  titled,
} from '../../support/browser/site.ts';

const STALE_MS = 61_000;

openSite({ sample: true });

beforeAll(async () => {
  await arrive({ groups: ['editor'] });
  await page.clock.install();
});

const remove = async (name: string): Promise<void> => {
  await confirm(name, dialog());
  await press('Delete', dialog());
  await gone(dialog());
};

test('the back button does not show a deleted version', async () => {
  const path = `/prompts/${promptIdOf('greeting')}`;
  await show(`${path}?version=1.1.0&tab=use`);
  await menu('Actions for version 1.1.0', 'Delete this version');
  await remove('1.1.0');
  await appears('button', 'Actions for version 1.0.0');
  await page.goBack();
  await headed('There is no such version');
  await absent(byRole('button', 'Actions for version 1.1.0'));
});

/** Lets what the page has read be too old, and looks at it again. */
const lookAgain = async () => {
  await page.clock.fastForward(STALE_MS);
  await page.evaluate("dispatchEvent(new Event('focus'))");
};

test('a version deleted by someone else disappears when the window regains the focus', async () => {
  const params = { promptId: promptIdOf('greeting') };
  await ask('versions-publish', { ...params, prompt: 'Hi', bump: 'minor' });
  await load(`/prompts/${params.promptId}?version=1.2.0`);
  await appears('button', 'Actions for version 1.2.0');
  await ask('versions-delete', { ...params, version: '1.2.0' });
  await lookAgain();
  await headed('There is no such version');
});

test('a value that was typed stays when someone else deletes its secret, until the dialog is closed', async () => {
  const body = { key: 'TYPED', value: 'first' };
  const { secretId } = (await ask('secrets-create', body)).secret;
  await show(`/secrets/${secretId}`);
  await press('New value');
  const field = dialog().getByLabel('New value');
  await field.fill('second');
  await ask('secrets-delete', { secretId });
  const looked = page.waitForResponse((reply) => reply.url().endsWith(secretId) && reply.status() === 404);
  await lookAgain();
  await looked;
  await press('Save the value', dialog());
  await see('Someone has deleted', dialog().getByRole('alert'));
  expect(await field.inputValue()).toBe('second');
  await press('Cancel', dialog());
  await press('Leave', dialog('Leave without saving?'));
});

test.each(['prompt', 'secret'])('the back button does not show a deleted %s', async (kind) => {
  const name = `ending.${kind}`;
  const id =
    kind === 'prompt'
      ? (await addPrompt({ name, prompt: 'Bye' })).promptId
      : (await ask('secrets-create', { key: name, value: 'x' })).secret.secretId;
  await show(`/${kind}s`);
  await follow(name);
  await menu('More actions', `Delete the ${kind}`);
  await remove(name);
  await appears('table');
  // The reply is held back, so anything shown before it comes from the cache.
  const looked = Promise.withResolvers<void>();
  await page.route(`**/api/admin/${kind}s/${id}`, (route) => looked.promise.then(() => route.continue()));
  await page.goBack();
  await see('Loading…', byRole('status'));
  await absent(byRole('button', 'More actions'));
  looked.resolve();
  await titled(`This ${kind} was deleted`);
});

const deletedPrompt = async (name: string) => {
  const { promptId } = await addPrompt({ name, prompt: 'Bye' });
  await ask('prompts-delete', { promptId });
  return promptId;
};

const deletedSecret = async (key: string) => {
  const { secretId } = (await ask('secrets-create', { key, value: 'x' })).secret;
  await ask('secrets-delete', { secretId });
};

test.each([['prompt', deletedPrompt] as const, ['secret', deletedSecret] as const])(
  'the entries of a deleted %s in the log lead to where it can be restored',
  async (kind, makeDeleted) => {
    const name = `retired.${kind}`;
    await makeDeleted(name);
    await show(`/audit?${new URLSearchParams({ kind: 'change', subject: name })}`);
    const links = exactly('link', name, byRole('table', 'Audit entries'));
    await links.nth(1).waitFor();
    const [deletion, creation] = await links.evaluateAll((all) =>
      all.map((each) => each.getAttribute('href')),
    );
    expect(creation).toBe(deletion);
    await links.first().click();
    await titled(`This ${kind} was deleted`);
    await press(`Restore ${name}`);
    await titled(name);
  },
);

test('who goes elsewhere while a restored prompt is read again stays there', async () => {
  const name = 'restored.slowly';
  const promptId = await deletedPrompt(name);
  await show(`/prompts/${promptId}`);
  const released = Promise.withResolvers<void>();
  await page.route('**/api/admin/session', (route) => released.promise.then(() => route.continue()));
  await press(`Restore ${name}`);
  await titled(name);
  await show('/audit');
  released.resolve();
  await see(`${name} is restored.`);
  await exactly('link', name, byRole('table', 'Audit entries')).first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/audit');
});

test('a viewer sees what was deleted, by whom and until when it can be restored, without a button', async () => {
  const promptId = await deletedPrompt('let go');
  const viewer = await signedIn({ groups: ['viewer'], path: `/prompts/${promptId}/usage` });
  await titled('This prompt was deleted', viewer.page);
  await see(/let go was deleted .* by admin@example.com/, viewer.page);
  await absent(byRole('button', /Restore/, viewer.page));
  await follow('Deleted prompts', viewer.page);
  await see('let go', byRole('table', 'Deleted prompts', viewer.page));
  await viewer.close();
});

test.each([
  ['prompt', `/prompts/${promptIdOf('never there')}`],
  ['secret', '/secrets/sec_AAAAAAAAAAAAAAAAAAAAAA'],
])('a %s that cannot be restored is shown as not found', async (kind, path) => {
  await show(path);
  await titled(`There is no such ${kind}`);
});
