import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { admit, givePass, newProfile, show, visit } from '../../support/browser/browser.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { ensureOperator, operatorToken } from '../../support/operators.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { linkOf } from '../../support/sign-in.ts';

openSite({ sample: true, provoked: /status of 503/ });

const closed = (page: Page) => page.getByText('Open the link that npm start has printed.');

test('signing in leads to the requested screen, for good, without a token that scripts can read, until signing out', async () => {
  const { page, close } = await visit(browser, instance, { path: '/prompts?q=support' });
  await page.getByRole('link', { name: 'support-reply' }).waitFor();
  expect(await page.getByRole('link', { name: 'greeting' }).count()).toBe(0);
  await page.reload();
  await page.getByRole('link', { name: 'support-reply' }).click();
  await page.getByRole('heading', { name: 'support-reply' }).waitFor();
  const kept = await page.evaluate<string>(
    'JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + document.cookie + location.href',
  );
  expect(kept).not.toMatch(/eyJ|refresh|access_token/);
  await page.getByRole('button', { name: /admin@example.com/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await closed(page).waitFor();
  // The session of the provider has ended, too.
  await page.goto(`${instance.url}/prompts`);
  await closed(page).waitFor();
  await close();
});

test('the link signs in and leaves the address; the menu continues as another operator and back', async () => {
  const context = await newProfile(browser);
  const page = await context.newPage();
  await page.goto(linkOf(instance));
  await page.getByRole('button', { name: 'admin@example.com Administrator' }).click();
  expect(page.url()).toBe(`${instance.url}/`);
  await page.getByRole('menuitem', { name: 'viewer@example.com' }).click();
  await page.getByRole('button', { name: 'viewer@example.com Viewer' }).click();
  await page.getByRole('menuitem', { name: 'admin@example.com' }).click();
  await page.getByRole('button', { name: 'admin@example.com Administrator' }).waitFor();
  await context.clearCookies();
  await page.goto(`${instance.url}/sign-in#former`);
  await page.getByText('This link is no longer valid').waitFor();
  expect(page.url()).toBe(`${instance.url}/sign-in`);
  await context.close();
});

test('a viewer sees no button that changes anything, and the service rejects the call', async () => {
  const { page, close } = await visit(browser, instance, { groups: ['viewer'] });
  await page.getByRole('link', { name: 'greeting' }).waitFor();
  expect(await page.getByRole('link', { name: 'New prompt' }).count()).toBe(0);
  await page.getByRole('link', { name: 'greeting' }).click();
  await page.getByRole('heading', { name: 'Variables' }).waitFor();
  for (const name of ['New version', 'Set a label', 'More actions']) {
    expect(await page.getByRole('button', { name }).or(page.getByRole('link', { name })).count()).toBe(0);
  }
  for (const [menu, item] of [
    ['Actions for the label production', 'History'],
    [/^Actions for version/, 'Download as .prompt'],
  ] as const) {
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([item]);
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').waitFor({ state: 'detached' });
  }
  await show(page, '/secrets');
  const key = page.getByRole('link', { name: 'DATABASE_URL' });
  await key.waitFor();
  const changing = () => page.getByRole('button', { name: /New|Edit|Roll back|More actions|Import/ }).count();
  expect(await changing()).toBe(0);
  await key.click();
  await page.getByRole('heading', { name: 'Values' }).waitFor();
  expect(await changing()).toBe(0);
  for (const path of ['/prompts/new', '/secrets/import']) {
    await page.goto(instance.url + path);
    await page.getByRole('heading', { name: 'You do not have permission' }).waitFor();
  }
  const refused = await fetch(`${instance.url}/api/admin/prompts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await operatorToken(instance, { groups: ['viewer'] })}` },
    body: JSON.stringify({ name: 'mine', prompt: 'Hello' }),
  });
  expect(refused.status).toBe(403);
  await close();
});

test('an operator without a role sees a message', async () => {
  const { page, close } = await visit(browser, instance, { groups: [] });
  await page.getByRole('heading', { name: 'You have no role yet' }).waitFor();
  await close();
});

// From now on every token and refresh is rejected, and the provider has ended the session as well.
const endSession = async (page: Page): Promise<void> => {
  await page.route('**/api/admin/**', (route) =>
    route.fulfill({ status: 401, body: '{"message":"Unauthorized"}' }),
  );
  await page.route('**/oidc/token', (route) =>
    route.fulfill({ status: 400, contentType: 'application/json', body: '{"error":"invalid_grant"}' }),
  );
  await page.context().clearCookies();
};

const expired = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });

const signInAgain = async (page: Page, groups: readonly string[]): Promise<void> => {
  await admit(page.context(), instance, groups);
  await expired(page).getByRole('button', { name: 'Sign in again' }).click();
};

test('an expired session keeps the input, and saves it after the next sign-in', async () => {
  const { page, close } = await visit(browser, instance);
  await page.getByRole('link', { name: 'greeting' }).click();
  await page.getByRole('link', { name: 'New version' }).click();
  const editor = page.getByRole('textbox', { name: 'Template' });
  await editor.waitFor();
  await endSession(page);
  await editor.fill('Good morning {{user}}, welcome to {{place}}.');
  await expired(page).waitFor();
  await page.unrouteAll();
  await signInAgain(page, ['admin']);
  await page.getByText('Draft saved').waitFor();
  await expired(page).waitFor({ state: 'detached' });
  expect(await editor.textContent()).toContain('Good morning');
  await page.reload();
  await editor.getByText('Good morning').waitFor();
  await close();
});

test('another operator who signs in gets a fresh page, and the earlier input is not saved in their name', async () => {
  await ensureOperator(instance, ['editor']);
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  const path = `/prompts/${promptId}/new-version`;
  const { page, close } = await visit(browser, instance, { path });
  const editor = page.getByRole('textbox', { name: 'Template' });
  await editor.waitFor();
  await endSession(page);
  await editor.fill('Typed by the admin');
  await expired(page).waitFor();
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
  await signInAgain(page, ['editor']);
  await page.getByRole('button', { name: /editor@example.com/ }).waitFor();
  await editor.waitFor();
  await expired(page).waitFor({ state: 'detached' });
  expect(await editor.textContent()).not.toContain('Typed by the admin');
  expect((await ask('prompts-get', params)).draft).toBeNull();
  expect(questions).toEqual([]);
  await close();
});

test('Escape in the expired-session dialog closes nothing behind it', async () => {
  const { page, close } = await visit(browser, instance, { path: '/secrets' });
  await page.getByRole('button', { name: 'New secret' }).click();
  const behind = page.getByRole('dialog', { name: 'New secret' });
  await behind.getByLabel('Key').fill('TYPED');
  await behind.getByRole('textbox', { name: 'Value' }).fill('typed');
  await endSession(page);
  await behind.getByRole('button', { name: 'Save' }).click();
  await expired(page).waitFor();
  await page.keyboard.press('Escape');
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('Escape');
  await page.unrouteAll();
  await page.route('**/api/admin/secrets', (route) => route.fulfill({ status: 503, body: '{}' }));
  await signInAgain(page, ['admin']);
  await behind.getByRole('alert').getByText('The service could not answer').waitFor();
  expect(await behind.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('typed');
  await close();
});

test('two windows of an ended session are signed in independently of each other', async () => {
  const { page, close } = await visit(browser, instance);
  const other = await page.context().newPage();
  await other.goto(`${instance.url}/secrets`);
  await other.getByRole('heading', { name: 'Secrets', exact: true }).waitFor();
  for (const each of [page, other]) await endSession(each);
  const popups: Page[] = [];
  for (const each of [page, other]) {
    await show(each, '/api-keys');
    const popup = each.waitForEvent('popup');
    await expired(each).getByRole('button', { name: 'Sign in again' }).click();
    popups.push(await popup);
  }
  for (const each of [page, other]) await each.unrouteAll();
  const [first, second] = popups as [Page, Page];
  for (const each of [first, second]) await closed(each).waitFor();
  await givePass(page.context(), instance);
  await second.evaluate('location.reload()');
  await expired(other).waitFor({ state: 'detached' });
  expect(await expired(page).getByRole('alert').count()).toBe(0);
  await givePass(page.context(), instance);
  await first.evaluate('location.reload()');
  await expired(page).waitFor({ state: 'detached' });
  await close();
});
