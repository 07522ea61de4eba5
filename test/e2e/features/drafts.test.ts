import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { admit } from '../../support/browser/browser.ts';
import {
  accessible,
  addPrompt,
  appears,
  arrive,
  byRole,
  confirm,
  dialog,
  disabled,
  exactly,
  follow,
  gone,
  instance,
  load,
  menu,
  openSite,
  page,
  press,
  see,
  show,
  signedIn,
} from '../../support/browser/site.ts';

openSite({ sample: true, provoked: /status of 503|INTERNET_DISCONNECTED/ });

beforeAll(() => arrive());

let prompts = 0;
let name = '';
let params = { promptId: '' };

const template = (on: Page = page) => byRole('textbox', 'Template', on);
const conflict = (on: Page = page) =>
  byRole('alert', undefined, on).filter({ hasText: 'There is another draft' });

const openEditor = async (on: Page = page) => {
  await follow('greeting', on);
  await follow(/New version|Continue the draft/, on);
  await template(on).waitFor();
};

/** Opens the editor of a new prompt. With `saved`, another operator has saved a draft of it, with its text. */
const openNew = async (prompt: string, saved?: object) => {
  name = `prompt ${++prompts}`;
  params = { promptId: (await addPrompt({ name, prompt })).promptId };
  if (saved) await ask('drafts-save', { ...params, prompt, ...saved }, 'editor');
  await page.unrouteAll();
  await show(`/prompts/${params.promptId}/new-version`);
  await exactly('link', name).waitFor();
  await template().waitFor();
};

const draft = async () => (await ask('prompts-get', params)).draft;

const leaving = () => exactly('link', 'Prompts').click();

const leave = async (): Promise<void> => {
  await leaving();
  await exactly('heading', 'Prompts').waitFor();
};

const saveAsEditor = async (body: object): Promise<void> => {
  const rev = (await draft())?.rev;
  await ask('drafts-save', { ...params, ...body, ...(rev && { rev }) }, 'editor');
};

test('typed text is a draft that colleagues see, and concurrent edits lose nothing', async () => {
  const { page: theirs, close } = await signedIn({ groups: ['editor'] });
  await openEditor(theirs);
  await openEditor();
  await template(theirs).fill('From the editor: {{user}}');
  await see('Draft saved', theirs);
  await template().fill('From the admin: {{user}}');
  await see('editor@example.com saved a draft', conflict());
  expect(await template().textContent()).toContain('From the admin');
  await see('From the editor', conflict());
  await press('Keep mine', conflict());
  await see('Draft saved');
  await theirs.reload();
  await see('From the admin', template(theirs));
  await see('This is the draft that admin@example.com saved', theirs);
  await close();
});

test('a conflict shows differences in the note, tags and metadata too, and taking the other draft saves nothing', async () => {
  await openNew('The same text', {});
  await saveAsEditor({
    prompt: 'The same text',
    note: 'Their note of it',
    tags: ['theirs'],
    metaProperties: { model: 'large' },
  });
  const note = byRole('textbox', 'Note');
  await note.fill('My note of it');
  await see('The text is the same.', conflict());
  expect(await conflict().getByRole('listitem').allTextContents()).toEqual([
    'Note: Their note of it → My note of it',
    'Tags: theirs → none',
    'Metadata · model: large → none',
  ]);
  await accessible();
  const theirs = await draft();
  await press('Take the other draft', conflict());
  await gone(conflict());
  expect(await note.inputValue()).toBe('Their note of it');
  await leave();
  expect(await draft()).toEqual(theirs);
  expect(theirs.savedBy).toBe('editor@example.com');
});

const MIXED = 'one\r\ntwo {{user}}\nthree\rfour\r\n';

test('opening a text saves nothing, and an edit keeps its line breaks', async () => {
  await openNew(MIXED);
  await leave();
  expect(await draft()).toBeNull();
  await page.goBack();
  await template().press('End');
  await page.keyboard.type('!');
  await leave();
  expect((await draft()).prompt).toBe(MIXED.replace('one', 'one!'));
});

const publish = async () => {
  const review = dialog('Review and publish');
  if (!(await review.isVisible())) await press('Review and publish');
  await press(/^Publish/, review);
};

test('publishing after a colleague published the same draft warns once, then succeeds', async () => {
  await openNew('Hello', {});
  await template().fill('Good day');
  await see('Draft saved');
  const { rev: draftRev } = await draft();
  const body = { prompt: 'Theirs', bump: 'minor', draftRev };
  await ask('versions-publish', { ...params, ...body }, 'editor');
  await publish();
  await dialog().getByRole('alert').waitFor();
  await appears('button', 'Publish 1.2.0', dialog());
  await publish();
  await exactly('heading', name).waitFor();
  const { version } = await ask('versions-get', { ...params, version: '1.2.0' });
  expect(version.prompt).toBe('Good day');
  expect(await draft()).toBeNull();
});

test('publishing again after a reply was lost leaves no draft of what is published', async () => {
  await openNew('Hello');
  await template().fill('Good day');
  await page.route('**/versions', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 503, body: '{"err":"Lost."}' });
    await page.unroute('**/versions');
  });
  await publish();
  await see('Lost.', dialog().getByRole('alert'));
  await publish();
  await see('reload', dialog().getByRole('alert'));
  await page.waitForTimeout(1_500);
  expect(await draft()).toBeNull();
});

test('publishing after a colleague saved another draft shows that draft, which can be taken', async () => {
  await openNew('Hello', {});
  await template().fill('Good day');
  await see('Draft saved');
  await saveAsEditor({ prompt: 'Theirs' });
  await publish();
  await see('editor@example.com saved a draft', conflict());
  await press('Take the other draft', conflict());
  await see('Theirs', template());
  await leave();
  expect(await draft()).toMatchObject({ prompt: 'Theirs', savedBy: 'editor@example.com' });
});

test('discarding a draft requires typing the name of its prompt', async () => {
  await openNew('Hello', { note: 'by a colleague' });
  await show(`/prompts/${params.promptId}`);
  await menu('More actions', 'Discard the draft');
  await see('editor@example.com', dialog());
  const discard = byRole('button', 'Discard', dialog());
  await disabled(discard);
  await confirm(name, dialog());
  await discard.click();
  await see('The draft is discarded.');
  expect(await draft()).toBeNull();
});

test('a draft that could not be saved without a network is saved by itself when it returns', async () => {
  await openNew('Hello');
  await page.context().setOffline(true);
  await template().fill('Good day');
  await see('Not saved: The service cannot be reached.');
  await page.context().setOffline(false);
  await see('Draft saved');
  expect((await draft()).prompt).toBe('Good day');
});

test('your own draft of another window is not said to be of someone else', async () => {
  await openNew('Hello');
  await ask('drafts-save', { ...params, prompt: 'Elsewhere' });
  await template().fill('Here');
  await see('You saved a draft in another window', conflict());
  await ask('versions-publish', {
    ...params,
    prompt: 'Published elsewhere',
    bump: 'minor',
    draftRev: (await draft()).rev,
  });
  await page.reload();
  await see('Published elsewhere', template());
});

const DRAFTS = '**/api/admin/prompts/*/draft*';
const askedToLeave = () => dialog('Leave without saving?');
const signOut = () => menu(/admin@example.com/, 'Sign out');

const isAskedOnReload = async (): Promise<boolean> => {
  const asked = page.waitForEvent('dialog');
  void page.reload().catch(() => {});
  const question = await asked;
  await question.dismiss();
  return question.type() === 'beforeunload';
};

test('an incomplete field is marked as unsaved and guarded on leaving; the rest is saved', async () => {
  await openNew('Hello {{user}}');
  await page.getByText('Model, output and tools').first().click();
  const fields = page.getByLabel(/^Configuration, output schema/);
  await fields.fill('cuevault.metadata: {model: ');
  await template().fill('Good day {{user}}');
  await see('Model and output are not saved');
  await leaving();
  await press('Stay', askedToLeave());
  expect(await draft()).toMatchObject({ prompt: 'Good day {{user}}', metaProperties: {} });
  expect(await isAskedOnReload()).toBe(true);
  await fields.fill('cuevault.metadata: {model: small}');
  await leave();
  expect((await draft()).metaProperties).toEqual({ model: 'small' });
});

test('unsaved input is saved before leaving; if that fails, leaving asks for confirmation', async () => {
  await openNew('Hello {{user}}');
  await page.route(DRAFTS, (route) => route.fulfill({ status: 503, body: '{"message":"Unavailable"}' }));
  await template().fill('Good day {{user}}');
  await leaving();
  await press('Stay', askedToLeave());
  expect(await template().textContent()).toContain('Good day');
  expect(await isAskedOnReload()).toBe(true);
  await page.unroute(DRAFTS);
  await template().fill('Good evening {{user}}');
  await leave();
  expect((await draft()).prompt).toBe('Good evening {{user}}');
});

test('the editor of a prompt that someone else has deleted keeps the input and says what to do', async () => {
  await openNew('Hello {{user}}');
  await ask('prompts-delete', params);
  await template().fill('Good day {{user}}');
  await see('Someone has deleted this prompt in the meantime. Restore it');
  expect(await template().textContent()).toContain('Good day');
  await ask('prompts-restore', params);
  await press('Try again');
  await see('Draft saved');
  expect((await draft()).prompt).toBe('Good day {{user}}');
});

test('a discard that conflicts with another save keeps the input', async () => {
  await openNew('Hello {{user}}');
  await template().fill('Mine');
  await see('Draft saved');
  await page.reload();
  await template().fill('Mine, longer');
  await see('Draft saved');
  const { rev } = await draft();
  await ask('drafts-save', { ...params, prompt: 'Theirs', rev });
  await template().fill('Mine, longest');
  await see('Not saved: there is another draft.');
  await press('Discard the draft');
  await confirm(name, dialog());
  await press('Discard', dialog());
  await see('saved or removed by someone else', dialog().getByRole('alert'));
  await press('Cancel', dialog());
  await see('Not saved: there is another draft.');
  expect(await template().textContent()).toContain('Mine, longest');
  expect((await draft()).prompt).toBe('Theirs');
  await leaving();
  await press('Leave', askedToLeave());
  await exactly('heading', 'Prompts').waitFor();
});

describe('as time passes', () => {
  beforeAll(async () => {
    await page.clock.install();
    await load('/prompts');
  });

  test('a draft that the service rejects is sent again only after a change; one that could not be sent, by itself', async () => {
    await openNew('Hello');
    const statuses = [503, 400];
    const sent: (string | null)[] = [];
    await page.route(DRAFTS, (route) => {
      sent.push(route.request().postData());
      const status = statuses.shift();
      return status === undefined ? route.continue() : route.fulfill({ status, body: '{"err":"Refused."}' });
    });
    await template().fill('Good day');
    await see('Not saved: Refused.');
    await page.clock.runFor(120_000);
    expect(sent).toHaveLength(2);
    await template().fill('Good evening');
    await see('Draft saved');
    expect(sent).toHaveLength(3);
    expect((await draft()).prompt).toBe('Good evening');
  });

  test('a tab whose prompt gets another version elsewhere says so when it is looked at again', async () => {
    await openNew('Hello');
    const body = { prompt: 'Elsewhere', bump: 'minor' };
    await ask('versions-publish', { ...params, ...body });
    await page.clock.runFor(10_000);
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await see('1.1.0 has become the latest since');
  });
});

test('signing out asks for confirmation if there is unsaved input', async () => {
  await show('/prompts/new');
  await template().fill('Typed and nowhere saved');
  await signOut();
  await press('Stay', askedToLeave());
  expect(await template().textContent()).toContain('Typed and nowhere saved');
  await signOut();
  await press('Leave', askedToLeave());
  await see('Open the link that npm start has printed.');
});

test('signing out saves the draft that is being typed', async () => {
  await admit(page.context(), instance);
  await load('/prompts');
  await exactly('heading', 'Prompts').waitFor();
  await openNew('Hello {{user}}');
  await template().fill('Good night {{user}}');
  await signOut();
  await see('Open the link that npm start has printed.');
  expect((await draft()).prompt).toBe('Good night {{user}}');
});
