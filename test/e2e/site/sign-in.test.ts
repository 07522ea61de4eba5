import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { admit, givePass, newProfile } from '../../support/browser/browser.ts';
import {
  absent,
  appears,
  arrive,
  browser,
  byRole,
  dialog,
  enter,
  exactly,
  follow,
  gone,
  headed,
  hotkey,
  instance,
  menu,
  openSite,
  page,
  press,
  see,
  show,
} from '../../support/browser/site.ts';
import { ensureOperator, operatorToken } from '../../support/operators.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { linkOf } from '../../support/sign-in.ts';

openSite({ sample: true, provoked: /status of 503/ });

const closed = (on: Page = page) => on.getByText('Open the link that npm start has printed.');

test('signing in leads to the requested screen, for good, without a token that scripts can read, until signing out', async () => {
  await arrive({ path: '/prompts?q=support' });
  await appears('link', 'support-reply');
  await absent(byRole('link', 'greeting'));
  await page.reload();
  await follow('support-reply');
  await headed('support-reply');
  const kept = await page.evaluate<string>(
    'JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + document.cookie + location.href',
  );
  expect(kept).not.toMatch(/eyJ|refresh|access_token/);
  await menu(/admin@example.com/, 'Sign out');
  await closed().waitFor();
  // The session of the provider has ended, too.
  await page.goto(`${instance.url}/prompts`);
  await closed().waitFor();
});

test('the link signs in and leaves the address; the menu continues as another operator and back', async () => {
  const context = await newProfile(browser);
  const page = await context.newPage();
  await page.goto(linkOf(instance));
  await press('admin@example.com Administrator', page);
  expect(page.url()).toBe(`${instance.url}/`);
  await byRole('menuitem', 'viewer@example.com', page).click();
  await menu('viewer@example.com Viewer', 'admin@example.com', page);
  await appears('button', 'admin@example.com Administrator', page);
  await context.clearCookies();
  await page.goto(`${instance.url}/sign-in#former`);
  await see('This link is no longer valid', page);
  expect(page.url()).toBe(`${instance.url}/sign-in`);
  await context.close();
});

test('a viewer sees no button that changes anything, and the service rejects the call', async () => {
  await arrive({ groups: ['viewer'] });
  await appears('link', 'greeting');
  await absent(byRole('link', 'New prompt'));
  await follow('greeting');
  await headed('Variables');
  for (const name of ['New version', 'Set a label', 'More actions']) {
    await absent(page.getByRole('button', { name }).or(page.getByRole('link', { name })));
  }
  for (const [menu, item] of [
    ['Actions for the label production', 'History'],
    [/^Actions for version/, 'Download as .prompt'],
  ] as const) {
    await press(menu);
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([item]);
    await hotkey('Escape');
    await gone(page.getByRole('menuitem'));
  }
  await show('/secrets');
  const key = byRole('link', 'DATABASE_URL');
  await key.waitFor();
  const changing = () => byRole('button', /New|Edit|Roll back|More actions|Import/).count();
  expect(await changing()).toBe(0);
  await key.click();
  await headed('Values');
  expect(await changing()).toBe(0);
  for (const path of ['/prompts/new', '/secrets/import']) {
    await show(path);
    await headed('You do not have permission');
  }
  const refused = await fetch(`${instance.url}/api/admin/prompts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await operatorToken(instance, { groups: ['viewer'] })}` },
    body: JSON.stringify({ name: 'mine', prompt: 'Hello' }),
  });
  expect(refused.status).toBe(403);
});

test('an operator without a role sees a message', async () => {
  await arrive({ groups: [] });
  await headed('You have no role yet');
});

// From now on every token and refresh is rejected, and the provider has ended the session as well.
const endSession = async (on: Page = page): Promise<void> => {
  await on.route('**/api/admin/**', (route) =>
    route.fulfill({ status: 401, body: '{"message":"Unauthorized"}' }),
  );
  await on.route('**/oidc/token', (route) =>
    route.fulfill({ status: 400, contentType: 'application/json', body: '{"error":"invalid_grant"}' }),
  );
  await on.context().clearCookies();
};

const expired = (on: Page = page) => dialog('Your session has ended', on);

const signInAgain = async (groups: readonly string[]): Promise<void> => {
  await admit(page.context(), instance, groups);
  await press('Sign in again', expired());
};

test('another operator who signs in gets a fresh page, and the earlier input is not saved in their name', async () => {
  await ensureOperator(instance, ['editor']);
  const { promptId } = await aPrompt();
  const params = { promptId };
  const path = `/prompts/${promptId}/new-version`;
  await arrive({ path });
  const editor = byRole('textbox', 'Template');
  await editor.waitFor();
  await endSession();
  await editor.fill('Typed by the admin');
  await expired().waitFor();
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await page.unrouteAll();
  // As on AWS, where the page of the user pool asks who it is.
  await page.context().route('**/oidc/auth?*', (route) => {
    const url = new URL(route.request().url());
    for (const name of ['prompt', 'login_hint']) url.searchParams.delete(name);
    return route.continue({ url: url.href });
  });
  await signInAgain(['editor']);
  await appears('button', /editor@example.com/);
  await editor.waitFor();
  await gone(expired());
  expect(await editor.textContent()).not.toContain('Typed by the admin');
  expect((await ask('prompts-get', params)).draft).toBeNull();
  expect(questions).toEqual([]);
});

describe('after a session has ended', () => {
  beforeAll(() => arrive());

  test('an expired session keeps the input, and saves it after the next sign-in', async () => {
    await follow('greeting');
    await follow('New version');
    const editor = byRole('textbox', 'Template');
    await editor.waitFor();
    await endSession();
    await editor.fill('Good morning {{user}}, welcome to {{place}}.');
    await expired().waitFor();
    await page.unrouteAll();
    await signInAgain(['admin']);
    await see('Draft saved');
    await gone(expired());
    expect(await editor.textContent()).toContain('Good morning');
    await page.reload();
    await see('Good morning', editor);
  });

  test('Escape in the expired-session dialog closes nothing behind it', async () => {
    await show('/secrets');
    await press('New secret');
    const behind = dialog('New secret');
    await behind.getByLabel('Key').fill('TYPED');
    await enter('Value', 'typed', behind);
    await endSession();
    await press('Save', behind);
    await expired().waitFor();
    await hotkey('Escape');
    await page.evaluate('document.activeElement.blur()');
    await hotkey('Escape');
    await page.unrouteAll();
    await page.route('**/api/admin/secrets', (route) => route.fulfill({ status: 503, body: '{}' }));
    await signInAgain(['admin']);
    await see('The service could not answer', behind.getByRole('alert'));
    expect(await byRole('textbox', 'Value', behind).inputValue()).toBe('typed');
    await page.unrouteAll();
    await press('Cancel', behind);
    await press('Leave', dialog('Leave without saving?'));
  });

  test('two windows of an ended session are signed in independently of each other', async () => {
    const other = await page.context().newPage();
    await other.goto(`${instance.url}/secrets`);
    await exactly('heading', 'Secrets', other).waitFor();
    for (const each of [page, other]) await endSession(each);
    const popups: Page[] = [];
    for (const each of [page, other]) {
      await show('/api-keys', each);
      const popup = each.waitForEvent('popup');
      await press('Sign in again', expired(each));
      popups.push(await popup);
    }
    for (const each of [page, other]) await each.unrouteAll();
    const [first, second] = popups as [Page, Page];
    for (const each of [first, second]) await closed(each).waitFor();
    await givePass(page.context(), instance);
    await second.evaluate('location.reload()');
    await gone(expired(other));
    await absent(expired(page).getByRole('alert'));
    await givePass(page.context(), instance);
    await first.evaluate('location.reload()');
    await gone(expired(page));
  });
});
