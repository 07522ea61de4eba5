import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { show, visit } from '../../support/browser/browser.ts';
import { seriousViolations } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

openSite({ sample: true, provoked: /status of 503|INTERNET_DISCONNECTED/ });

const openEditor = async (groups: readonly string[]) => {
  const opened = await visit(browser, instance, { groups });
  await opened.page.getByRole('link', { name: 'greeting' }).click();
  await opened.page.getByRole('link', { name: /New version|Continue the draft/ }).click();
  const template = opened.page.getByRole('textbox', { name: 'Template' });
  await template.waitFor();
  return { ...opened, template };
};

let prompts = 0;

/** Opens the editor of a new prompt. With `saved`, another operator has saved a draft of it, with this text unless it has its own. */
const openNew = async (prompt: string, saved?: object) => {
  const name = `prompt ${++prompts}`;
  const { promptId } = (await ask('prompts-create', { name, prompt })).prompt;
  const params = { promptId };
  if (saved) await ask('drafts-save', { ...params, prompt, ...saved }, 'editor');
  const opened = await visit(browser, instance, { path: `/prompts/${promptId}/new-version` });
  const template = opened.page.getByRole('textbox', { name: 'Template' });
  await template.waitFor();
  return { ...opened, template, params, name };
};

type Opened = Awaited<ReturnType<typeof openNew>>;

const draftOf = async ({ params }: Opened) => (await ask('prompts-get', params)).draft;

const leaving = (page: Page) => page.getByRole('link', { name: 'Prompts', exact: true }).click();

const leave = async ({ page }: Opened): Promise<void> => {
  await leaving(page);
  await page.getByRole('heading', { name: 'Prompts', exact: true }).waitFor();
};

const saveAsEditor = async (opened: Opened, body: object): Promise<void> => {
  const rev = (await draftOf(opened))?.rev;
  const seen = rev === undefined ? {} : { rev };
  await ask('drafts-save', { ...opened.params, ...body, ...seen }, 'editor');
};

test('typed text is a draft that colleagues see, and concurrent edits lose nothing', async () => {
  const one = await openEditor(['editor']);
  const other = await openEditor(['admin']);
  await one.template.fill('From the editor: {{user}}');
  await one.page.getByText('Draft saved').waitFor();
  await other.template.fill('From the admin: {{user}}');
  const conflict = other.page.getByRole('alert').filter({ hasText: 'There is another draft' });
  await conflict.getByText('editor@example.com saved a draft').waitFor();
  expect(await other.template.textContent()).toContain('From the admin');
  await conflict.getByText('From the editor').waitFor();
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await other.page.getByText('Draft saved').waitFor();
  await one.page.reload();
  await one.template.getByText('From the admin').waitFor();
  await one.page.getByText('This is the draft that admin@example.com saved').waitFor();
  await Promise.all([one.close(), other.close()]);
});

test('taking the other draft does not save it again under your own name', async () => {
  const opened = await openNew('Hello', {});
  await saveAsEditor(opened, { prompt: 'Theirs', note: 'by the editor' });
  await opened.template.fill('Mine');
  const conflict = opened.page.getByRole('alert').filter({ hasText: 'There is another draft' });
  await conflict.getByRole('button', { name: 'Take the other draft' }).click();
  await opened.template.getByText('Theirs').waitFor();
  const theirs = await draftOf(opened);
  await leave(opened);
  expect(await draftOf(opened)).toEqual(theirs);
  expect(theirs.savedBy).toBe('editor@example.com');
  await opened.close();
});

test('a conflict shows differences in the note, tags and metadata, not only in the text', async () => {
  const opened = await openNew('The same text', {});
  await saveAsEditor(opened, {
    prompt: 'The same text',
    note: 'Their note of it',
    tags: ['theirs'],
    metaProperties: { model: 'large' },
  });
  await opened.page.getByLabel('Note').fill('My note of it');
  const conflict = opened.page.getByRole('alert').filter({ hasText: 'There is another draft' });
  await conflict.getByText('The text is the same.').waitFor();
  expect(await conflict.getByRole('listitem').allTextContents()).toEqual([
    'Note: Their note of it → My note of it',
    'Tags: theirs → none',
    'Metadata · model: large → none',
  ]);
  expect(await seriousViolations(opened.page)).toEqual([]);
  await opened.close();
});

const MIXED = 'one\r\ntwo {{user}}\nthree\rfour\r\n';

test('opening a text saves nothing, and an edit keeps its line breaks', async () => {
  const opened = await openNew(MIXED);
  await leave(opened);
  expect(await draftOf(opened)).toBeNull();
  await opened.page.goBack();
  await opened.template.press('End');
  await opened.page.keyboard.type('!');
  await leave(opened);
  expect((await draftOf(opened)).prompt).toBe(MIXED.replace('one', 'one!'));
  await opened.close();
});

const publish = async ({ page }: Opened) => {
  const dialog = page.getByRole('dialog', { name: 'Review and publish' });
  if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Review and publish' }).click();
  await dialog.getByRole('button', { name: /^Publish/ }).click();
  return dialog;
};

test('publishing after a colleague published the same draft warns once, then succeeds', async () => {
  const opened = await openNew('Hello', {});
  await opened.template.fill('Good day');
  await opened.page.getByText('Draft saved').waitFor();
  const { rev: draftRev } = await draftOf(opened);
  const body = { prompt: 'Theirs', bump: 'minor', draftRev };
  await ask('versions-publish', { ...opened.params, ...body }, 'editor');
  const dialog = await publish(opened);
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('button', { name: 'Publish 1.2.0' }).waitFor();
  await publish(opened);
  await opened.page.getByRole('heading', { name: opened.name, exact: true }).waitFor();
  const { version } = await ask('versions-get', { ...opened.params, version: '1.2.0' });
  expect(version.prompt).toBe('Good day');
  expect(await draftOf(opened)).toBeNull();
  await opened.close();
});

test('publishing again after a reply was lost leaves no draft of what is published', async () => {
  const opened = await openNew('Hello');
  await opened.template.fill('Good day');
  await opened.page.route('**/versions', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 503, body: '{"err":"Lost."}' });
    await opened.page.unroute('**/versions');
  });
  const dialog = await publish(opened);
  await dialog.getByRole('alert').getByText('Lost.').waitFor();
  await publish(opened);
  await dialog.getByRole('alert').getByText('reload').waitFor();
  await opened.page.waitForTimeout(1_500);
  expect(await draftOf(opened)).toBeNull();
  await opened.close();
});

test('publishing after a colleague saved another draft shows that draft', async () => {
  const opened = await openNew('Hello', {});
  await opened.template.fill('Good day');
  await opened.page.getByText('Draft saved').waitFor();
  await saveAsEditor(opened, { prompt: 'Theirs' });
  await publish(opened);
  const conflict = opened.page.getByRole('alert').filter({ hasText: 'There is another draft' });
  await conflict.getByText('editor@example.com saved a draft').waitFor();
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await opened.page.getByText('Draft saved').waitFor();
  expect((await draftOf(opened)).prompt).toBe('Good day');
  await opened.close();
});

test('discarding a draft requires typing the name of its prompt', async () => {
  const opened = await openNew('Hello', { note: 'by a colleague' });
  await show(opened.page, `/prompts/${opened.params.promptId}`);
  await opened.page.getByRole('button', { name: 'Discard' }).click();
  const dialog = opened.page.getByRole('dialog', { name: 'Discard the draft' });
  await dialog.getByText('editor@example.com').waitFor();
  const discard = dialog.getByRole('button', { name: 'Discard' });
  expect(await discard.isDisabled()).toBe(true);
  await dialog.getByLabel(/Type .* to confirm/).fill(opened.name);
  await discard.click();
  await opened.page.getByText('The draft is discarded.').waitFor();
  expect(await draftOf(opened)).toBeNull();
  await opened.close();
});

test('a draft that the service rejects is sent again only after a change; one that could not be sent, by itself', async () => {
  const opened = await openNew('Hello');
  const { page, template } = opened;
  await page.clock.install();
  const statuses = [503, 400];
  const sent: (string | null)[] = [];
  await page.route(DRAFTS, (route) => {
    sent.push(route.request().postData());
    const status = statuses.shift();
    return status === undefined ? route.continue() : route.fulfill({ status, body: '{"err":"Refused."}' });
  });
  await template.fill('Good day');
  await page.getByText('Not saved: Refused.').waitFor();
  await page.clock.runFor(120_000);
  expect(sent).toHaveLength(2);
  await template.fill('Good evening');
  await page.getByText('Draft saved').waitFor();
  expect(sent).toHaveLength(3);
  expect((await draftOf(opened)).prompt).toBe('Good evening');
  await opened.close();
});

test('a draft that could not be saved without a network is saved by itself when it returns', async () => {
  const opened = await openNew('Hello');
  const { page, template } = opened;
  await page.context().setOffline(true);
  await template.fill('Good day');
  await page.getByText('Not saved: The service cannot be reached.').waitFor();
  await page.context().setOffline(false);
  await page.getByText('Draft saved').waitFor();
  expect((await draftOf(opened)).prompt).toBe('Good day');
  await opened.close();
});

test('a tab whose prompt gets another version elsewhere says so when it is looked at again', async () => {
  const opened = await openNew('Hello');
  const body = { prompt: 'Elsewhere', bump: 'minor' };
  await ask('versions-publish', { ...opened.params, ...body });
  await opened.page.clock.install();
  await opened.page.clock.runFor(10_000);
  await opened.page.evaluate("dispatchEvent(new Event('focus'))");
  await opened.page.getByText('1.1.0 has become the latest since').waitFor();
  await opened.close();
});

test('your own draft of another window is not said to be of someone else', async () => {
  const opened = await openNew('Hello');
  await ask('drafts-save', { ...opened.params, prompt: 'Elsewhere' });
  await opened.template.fill('Here');
  const conflict = opened.page.getByRole('alert').filter({ hasText: 'There is another draft' });
  await conflict.getByText('You saved a draft in another window').waitFor();
  await ask('versions-publish', {
    ...opened.params,
    prompt: 'Published elsewhere',
    bump: 'minor',
    draftRev: (await draftOf(opened)).rev,
  });
  await opened.page.reload();
  await opened.template.getByText('Published elsewhere').waitFor();
  await opened.close();
});

const DRAFTS = '**/api/admin/prompts/*/draft*';
const askedToLeave = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /admin@example.com/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
};

const isAskedOnReload = async (page: Page): Promise<boolean> => {
  const asked = page.waitForEvent('dialog');
  void page.reload().catch(() => {});
  const dialog = await asked;
  await dialog.dismiss();
  return dialog.type() === 'beforeunload';
};

test('an incomplete field is marked as unsaved and guarded on leaving; the rest is saved', async () => {
  const opened = await openNew('Hello {{user}}');
  const { page, template } = opened;
  await page.getByText('Model, output and tools').first().click();
  const fields = page.getByLabel(/^Configuration, output schema/);
  await fields.fill('cuevault.metadata: {model: ');
  await template.fill('Good day {{user}}');
  await page.getByText('Model and output are not saved').waitFor();
  await leaving(page);
  await askedToLeave(page).getByRole('button', { name: 'Stay' }).click();
  expect(await draftOf(opened)).toMatchObject({ prompt: 'Good day {{user}}', metaProperties: {} });
  expect(await isAskedOnReload(page)).toBe(true);
  await fields.fill('cuevault.metadata: {model: small}');
  await leave(opened);
  expect((await draftOf(opened)).metaProperties).toEqual({ model: 'small' });
  await opened.close();
});

test('unsaved input is saved before leaving; if that fails, leaving asks for confirmation', async () => {
  const opened = await openNew('Hello {{user}}');
  const { page, template } = opened;
  await page.route(DRAFTS, (route) => route.fulfill({ status: 503, body: '{"message":"Unavailable"}' }));
  await template.fill('Good day {{user}}');
  await leaving(page);
  await askedToLeave(page).getByRole('button', { name: 'Stay' }).click();
  expect(await template.textContent()).toContain('Good day');
  expect(await isAskedOnReload(page)).toBe(true);
  await page.unroute(DRAFTS);
  await template.fill('Good evening {{user}}');
  await leave(opened);
  expect((await draftOf(opened)).prompt).toBe('Good evening {{user}}');
  await opened.close();
});

test('the editor of a prompt that someone else has deleted keeps the input and says what to do', async () => {
  const opened = await openNew('Hello {{user}}');
  const { page, template } = opened;
  await ask('prompts-delete', opened.params);
  await template.fill('Good day {{user}}');
  await page.getByText('Someone has deleted this prompt in the meantime. Restore it').waitFor();
  expect(await template.textContent()).toContain('Good day');
  await ask('prompts-restore', opened.params);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Draft saved').waitFor();
  expect((await draftOf(opened)).prompt).toBe('Good day {{user}}');
  await opened.close();
});

test('a discard that conflicts with another save keeps the input', async () => {
  const opened = await openNew('Hello {{user}}');
  const { page, template } = opened;
  await template.fill('Mine');
  await page.getByText('Draft saved').waitFor();
  await page.reload();
  await template.fill('Mine, longer');
  await page.getByText('Draft saved').waitFor();
  const { rev } = await draftOf(opened);
  await ask('drafts-save', { ...opened.params, prompt: 'Theirs', rev });
  await template.fill('Mine, longest');
  await page.getByText('Not saved: there is another draft.').waitFor();
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  const dialog = page.getByRole('dialog', { name: 'Discard the draft' });
  await dialog.getByLabel(/Type .* to confirm/).fill(opened.name);
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await dialog.getByRole('alert').getByText('saved or removed by someone else').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Not saved: there is another draft.').waitFor();
  expect(await template.textContent()).toContain('Mine, longest');
  expect((await draftOf(opened)).prompt).toBe('Theirs');
  await opened.close();
});

test('signing out asks for confirmation if there is unsaved input', async () => {
  const opened = await visit(browser, instance, { path: '/prompts/new' });
  const { page } = opened;
  const template = page.getByRole('textbox', { name: 'Template' });
  await template.fill('Typed and nowhere saved');
  await signOut(page);
  await askedToLeave(page).getByRole('button', { name: 'Stay' }).click();
  expect(await template.textContent()).toContain('Typed and nowhere saved');
  await signOut(page);
  await askedToLeave(page).getByRole('button', { name: 'Leave' }).click();
  await page.getByText('Open the link that npm start has printed.').waitFor();
  await opened.close();
});

test('signing out saves the draft that is being typed', async () => {
  const opened = await openNew('Hello {{user}}');
  const { page, template } = opened;
  await template.fill('Good night {{user}}');
  await signOut(page);
  await page.getByText('Open the link that npm start has printed.').waitFor();
  expect((await draftOf(opened)).prompt).toBe('Good night {{user}}');
  await opened.close();
});
