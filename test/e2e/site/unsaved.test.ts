import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { type Visit, visit } from '../../support/browser/browser.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

const DRAFTS = '**/api/admin/prompts/*/draft*';

let prompts = 0;

openSite({ provoked: /status of 503/ });

const templateOf = (page: Page) => page.getByRole('textbox', { name: 'Template' });
const askedToLeave = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
const draftOf = async (promptId: string) =>
  (await ask(instance, 'prompts-get', { params: { promptId } })).draft;

const openEditor = async (): Promise<Visit & { readonly promptId: string }> => {
  const body = { name: `prompt ${++prompts}`, prompt: 'Hello {{user}}' };
  const { promptId } = (await ask(instance, 'prompts-create', { body })).prompt;
  const opened = await visit(browser, instance, { path: `/prompts/${promptId}/new-version` });
  await templateOf(opened.page).waitFor();
  return { ...opened, promptId };
};

const leave = (page: Page) => page.getByRole('link', { name: 'Prompts', exact: true }).click();

const isAskedOnReload = async (page: Page): Promise<boolean> => {
  const asked = page.waitForEvent('dialog');
  void page.reload().catch(() => {});
  const dialog = await asked;
  await dialog.dismiss();
  return dialog.type() === 'beforeunload';
};

test('an incomplete field is marked as unsaved and guarded on leaving; the rest is saved', async () => {
  const { page, promptId, close } = await openEditor();
  await page.getByText('Variables, model and output').first().click();
  const fields = page.getByLabel(/^Variables \(input\), configuration/);
  await fields.fill('cuevault.metadata: {model: ');
  await templateOf(page).fill('Good day {{user}}');
  await page.getByText('Variables, model and output are not saved').waitFor();
  await leave(page);
  await askedToLeave(page).getByRole('button', { name: 'Stay' }).click();
  expect(await draftOf(promptId)).toMatchObject({ prompt: 'Good day {{user}}', metaProperties: {} });
  expect(await isAskedOnReload(page)).toBe(true);
  await fields.fill('cuevault.metadata: {model: small}');
  await leave(page);
  await page.getByRole('heading', { name: 'Prompts', exact: true }).waitFor();
  expect((await draftOf(promptId)).metaProperties).toEqual({ model: 'small' });
  await close();
});

test('unsaved input is saved before leaving; if that fails, leaving asks for confirmation', async () => {
  const { page, promptId, close } = await openEditor();
  await page.route(DRAFTS, (route) => route.fulfill({ status: 503, body: '{"message":"Unavailable"}' }));
  await templateOf(page).fill('Good day {{user}}');
  await leave(page);
  await askedToLeave(page).getByRole('button', { name: 'Stay' }).click();
  expect(await templateOf(page).textContent()).toContain('Good day');
  expect(await isAskedOnReload(page)).toBe(true);
  await page.unroute(DRAFTS);
  await templateOf(page).fill('Good evening {{user}}');
  await leave(page);
  await page.getByRole('heading', { name: 'Prompts', exact: true }).waitFor();
  expect((await draftOf(promptId)).prompt).toBe('Good evening {{user}}');
  await close();
});

test('the editor of a prompt that someone else has deleted keeps the input and says what to do', async () => {
  const { page, promptId, close } = await openEditor();
  await ask(instance, 'prompts-delete', { params: { promptId } });
  await templateOf(page).fill('Good day {{user}}');
  await page.getByText('Someone has deleted this prompt in the meantime. Restore it').waitFor();
  expect(await templateOf(page).textContent()).toContain('Good day');
  await ask(instance, 'prompts-restore', { params: { promptId } });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Draft saved').waitFor();
  expect((await draftOf(promptId)).prompt).toBe('Good day {{user}}');
  await close();
});

test('a discard that conflicts with another save keeps the input', async () => {
  const { page, promptId, close } = await openEditor();
  await templateOf(page).fill('Mine');
  await page.getByText('Draft saved').waitFor();
  await page.reload();
  await templateOf(page).fill('Mine, longer');
  await page.getByText('Draft saved').waitFor();
  const { rev } = await draftOf(promptId);
  await ask(instance, 'drafts-save', { params: { promptId }, body: { prompt: 'Theirs', rev } });
  await templateOf(page).fill('Mine, longest');
  await page.getByText('Not saved: there is another draft.').waitFor();
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  const dialog = page.getByRole('dialog', { name: 'Discard the draft' });
  await dialog.getByLabel(/Type .* to confirm/).fill(`prompt ${prompts}`);
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await dialog.getByRole('alert').getByText('saved or removed by someone else').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Not saved: there is another draft.').waitFor();
  expect(await templateOf(page).textContent()).toContain('Mine, longest');
  expect((await draftOf(promptId)).prompt).toBe('Theirs');
  await close();
});

test('signing out asks for confirmation if there is unsaved input', async () => {
  const { page, close } = await visit(browser, instance, { path: '/prompts/new' });
  const signOut = async () => {
    await page.getByRole('button', { name: /admin@example.com/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await templateOf(page).fill('Typed and nowhere saved');
  await signOut();
  await askedToLeave(page).getByRole('button', { name: 'Stay' }).click();
  expect(await templateOf(page).textContent()).toContain('Typed and nowhere saved');
  await signOut();
  await askedToLeave(page).getByRole('button', { name: 'Leave' }).click();
  await page.getByLabel('Password').waitFor();
  await close();
});

test('signing out saves the draft that is being typed', async () => {
  const { page, promptId, close } = await openEditor();
  await templateOf(page).fill('Good night {{user}}');
  await page.getByRole('button', { name: /admin@example.com/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Password').waitFor();
  expect((await draftOf(promptId)).prompt).toBe('Good night {{user}}');
  await close();
});
