import type { Page } from 'playwright-core';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { ask } from '../../support/admin.ts';
import { show, visit } from '../../support/browser/browser.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

const STALE_MS = 61_000;

let page: Page;

openSite({ sample: true });

beforeAll(async () => {
  ({ page } = await visit(browser, instance, { groups: ['editor'] }));
});

const confirm = async (name: string): Promise<void> => {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Type .* to confirm/).fill(name);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.waitFor({ state: 'detached' });
};

test('the back button does not show a deleted version', async () => {
  const path = `/prompts/${promptIdOf('greeting')}`;
  await show(page, `${path}?version=1.1.0&tab=use`);
  await page.getByRole('button', { name: 'Actions for version 1.1.0' }).click();
  await page.getByRole('menuitem', { name: 'Delete this version' }).click();
  await confirm('1.1.0');
  await page.getByRole('button', { name: 'Actions for version 1.0.0' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'There is no such version' }).waitFor();
  expect(await page.getByRole('button', { name: 'Actions for version 1.1.0' }).count()).toBe(0);
});

test('a version deleted by someone else disappears when the window regains the focus', async () => {
  const params = { promptId: promptIdOf('greeting') };
  await ask('versions-publish', { ...params, prompt: 'Hi', bump: 'minor' });
  const { page: seen, close } = await visit(browser, instance, { path: `/prompts/${params.promptId}` });
  await seen.clock.install();
  await seen.goto(`${instance.url}/prompts/${params.promptId}?version=1.2.0`);
  await seen.getByRole('button', { name: 'Actions for version 1.2.0' }).waitFor();
  await ask('versions-delete', { ...params, version: '1.2.0' });
  await seen.clock.fastForward(STALE_MS);
  await seen.evaluate("dispatchEvent(new Event('focus'))");
  await seen.getByRole('heading', { name: 'There is no such version' }).waitFor();
  await close();
});

test('a value that was typed stays when someone else deletes its secret, until the dialog is closed', async () => {
  const body = { key: 'TYPED', value: 'first' };
  const { secretId } = (await ask('secrets-create', body)).secret;
  const { page: seen, close } = await visit(browser, instance, { path: `/secrets/${secretId}` });
  await seen.clock.install();
  await seen.reload();
  await seen.getByRole('button', { name: 'New value' }).click();
  const field = seen.getByRole('dialog').getByLabel('New value');
  await field.fill('second');
  await ask('secrets-delete', { secretId });
  await seen.clock.fastForward(STALE_MS);
  const looked = seen.waitForResponse((reply) => reply.url().endsWith(secretId) && reply.status() === 404);
  await seen.evaluate("dispatchEvent(new Event('focus'))");
  await looked;
  await seen.getByRole('dialog').getByRole('button', { name: 'Save the value' }).click();
  await seen.getByRole('dialog').getByRole('alert').waitFor();
  expect(await field.inputValue()).toBe('second');
  await close();
});

test.each(['prompt', 'secret'])('the back button does not show a deleted %s', async (kind) => {
  const name = `ending.${kind}`;
  const id =
    kind === 'prompt'
      ? (await ask('prompts-create', { name, prompt: 'Bye' })).prompt.promptId
      : (await ask('secrets-create', { key: name, value: 'x' })).secret.secretId;
  await show(page, `/${kind}s`);
  await page.getByRole('link', { name }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: `Delete the ${kind}` }).click();
  await confirm(name);
  await page.getByRole('table').waitFor();
  // The reply is held back, so anything shown before it comes from the cache.
  const looked = Promise.withResolvers<void>();
  await page.route(`**/api/admin/${kind}s/${id}`, (route) => looked.promise.then(() => route.continue()));
  await page.goBack();
  await page.getByRole('status').getByText('Loading…').waitFor();
  expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);
  looked.resolve();
  await page.getByRole('heading', { name: `This ${kind} was deleted`, level: 1 }).waitFor();
});

const deletedPrompt = async (name: string) => {
  const { promptId } = (await ask('prompts-create', { name, prompt: 'Bye' })).prompt;
  await ask('prompts-delete', { promptId });
  return promptId;
};

const deletedSecret = async (key: string) => {
  const { secretId } = (await ask('secrets-create', { key, value: 'x' })).secret;
  await ask('secrets-delete', { secretId });
};

test.each([
  ...[['prompt', 'create', deletedPrompt] as const, ['prompt', 'delete', deletedPrompt] as const],
  ...[['secret', 'create', deletedSecret] as const, ['secret', 'delete', deletedSecret] as const],
])('of a deleted %s, %s in the log leads to where it can be restored', async (kind, action, makeDeleted) => {
  const name = `retired.${kind}.${action}`;
  await makeDeleted(name);
  await show(page, `/audit?${new URLSearchParams({ action: `${kind}.${action}`, subject: name })}`);
  await page.getByRole('table', { name: 'Audit entries' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name: `This ${kind} was deleted`, level: 1 }).waitFor();
  await page.getByRole('button', { name: `Restore ${name}` }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
});

test('a viewer sees what was deleted, by whom and until when it can be restored, without a button', async () => {
  const promptId = await deletedPrompt('let go');
  const viewer = await visit(browser, instance, { groups: ['viewer'], path: `/prompts/${promptId}/usage` });
  await viewer.page.getByRole('heading', { name: 'This prompt was deleted', level: 1 }).waitFor();
  await viewer.page.getByText(/let go was deleted .* by admin@example.com/).waitFor();
  expect(await viewer.page.getByRole('button', { name: /Restore/ }).count()).toBe(0);
  await viewer.page.getByRole('link', { name: 'Deleted prompts' }).click();
  await viewer.page.getByRole('table', { name: 'Deleted prompts' }).getByText('let go').waitFor();
  await viewer.close();
});

test.each([
  ['prompt', `/prompts/${promptIdOf('never there')}`],
  ['secret', '/secrets/sec_AAAAAAAAAAAAAAAAAAAAAA'],
])('a %s that cannot be restored is shown as not found', async (kind, path) => {
  await show(page, path);
  await page.getByRole('heading', { name: `There is no such ${kind}`, level: 1 }).waitFor();
});
