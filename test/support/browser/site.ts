import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { ask, useInstance } from '../admin.ts';
import { type OwnInstance, ownInstance } from '../shared/instance.ts';
import { browserAddress } from '../shared/remote.ts';
import { problems, type Visit, type VisitOptions, visit } from './browser.ts';
import { violationsInBothSchemes } from './screen-checks.ts';

/** The browser of this Jest worker, once `openSite` has opened it. */
export let browser: Browser;
/** The instance of this test file, once `openSite` has opened it. */
export let instance: OwnInstance;
/** The page of the operator who has arrived last: what the functions below act on, unless told otherwise. */
export let page: Page;

type SiteOptions = Parameters<typeof ownInstance>[0] & {
  /** The console errors that tests provoke, such as those of a broken network. @default none */
  readonly provoked?: RegExp;
};

/**
 * Opens an instance, and connects to the browser, before the tests of a file. Afterwards closes all that they opened, and
 * fails if a visit had console errors, uncaught errors or violations of the security policy.
 */
export const openSite = ({ provoked, ...options }: SiteOptions = {}): void => {
  beforeAll(async () => {
    [browser, instance] = await Promise.all([
      browserAddress().then((address) => chromium.connect(address)),
      ownInstance({ consumes: 'after-writes', ...options }),
    ]);
    useInstance(instance);
  });
  afterAll(async () => {
    await browser?.close();
    await instance?.stop();
    expect(problems.splice(0).filter((problem) => provoked?.test(problem) !== true)).toEqual([]);
  });
};

/** Opens the site of this test file, signed in. */
export const signedIn = (options?: VisitOptions): Promise<Visit> => visit(browser, instance, options);

/** Opens the site, signed in, on what is `page` from now on. */
export const arrive = async (options?: VisitOptions): Promise<void> => {
  ({ page } = await signedIn(options));
};

/** Opens another screen as a click on a link would, without reloading the site. */
export const show = (path: string, on: Page = page): Promise<void> =>
  on.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'));`,
  );

type Name = string | RegExp;
type Scope = Page | Locator;
type Role = Parameters<Page['getByRole']>[0];

const pageOf = (scope: Scope): Page => ('page' in scope ? scope.page() : scope);

/** What has this role, and this name. */
export const byRole = (role: Role, name?: Name, scope: Scope = page): Locator =>
  scope.getByRole(role, name === undefined ? {} : { name });

/** What has this role, and exactly this name. */
export const exactly = (role: Role, name: Name, scope: Scope = page): Locator =>
  scope.getByRole(role, { name, exact: true });

/** The row of a table with this text. */
export const rowWith = (hasText: Name, scope: Scope = page): Locator =>
  scope.getByRole('row').filter({ hasText });

/** A dialog that is shown: any, or the one with this name. */
export const dialog = (name?: string, scope: Scope = page): Locator =>
  scope.getByRole('dialog', name === undefined ? {} : { name, exact: true }).filter({ visible: true });

/** Waits until a text is shown. */
export const see = (text: Name, scope: Scope = page): Promise<void> => scope.getByText(text).waitFor();

/** Waits until a heading is shown. */
export const headed = (name: Name, scope: Scope = page): Promise<void> => appears('heading', name, scope);

/** Waits until this is the title of the screen. */
export const titled = (name: Name, on: Page = page): Promise<void> =>
  on.getByRole('heading', { name, level: 1 }).waitFor();

/** Waits until something is gone. */
export const gone = (what: Locator): Promise<void> => what.waitFor({ state: 'detached' });

/** Waits until what has this role, and this name, is shown. */
export const appears = (role: Role, name?: Name, scope: Scope = page): Promise<void> =>
  byRole(role, name, scope).waitFor();

/** Fails if something is there. */
export const absent = async (what: Locator): Promise<void> => expect(await what.count()).toBe(0);

/** Fails if a control can be used. */
export const disabled = async (control: Locator): Promise<void> =>
  expect(await control.isDisabled()).toBe(true);

/** Loads a screen as if its address were typed. */
export const load = async (path: string): Promise<void> => {
  await page.goto(instance.url + path);
};

/** Presses a key, or several at once such as `Control+k`. */
export const hotkey = (name: string): Promise<void> => page.keyboard.press(name);

/** Clicks a button. */
export const press = (name: Name, scope: Scope = page): Promise<void> =>
  byRole('button', name, scope).click();

/** Clicks a link. */
export const follow = (name: Name, scope: Scope = page): Promise<void> => byRole('link', name, scope).click();

/** Opens the menu of a button, and clicks one of its items. */
export const menu = async (name: Name, item: Name, scope: Scope = page): Promise<void> => {
  await press(name, scope);
  await byRole('menuitem', item, pageOf(scope)).click();
};

/** Checks a box, a radio button or a switch. */
export const tick = (name: Name, scope: Scope = page): Promise<void> =>
  byRole('checkbox', name, scope)
    .or(byRole('radio', name, scope))
    .or(byRole('switch', name, scope))
    .check();

/** Fills in a text field. */
export const enter = (name: Name, text: string, scope: Scope = page): Promise<void> =>
  byRole('textbox', name, scope).fill(text);

/** Chooses an option of a field. */
export const choose = async (field: Name, option: Name, scope: Scope = page): Promise<void> => {
  await byRole('combobox', field, scope).click();
  await byRole('option', option, pageOf(scope)).click();
};

/** Types what a dialog asks for before it deletes something. */
export const confirm = (text: string, scope: Scope = page): Promise<void> =>
  scope.getByLabel(/Type .* to confirm/).fill(text);

/** Fails if what is shown violates rules of accessibility, in the light or the dark scheme. */
export const accessible = async (on: Page = page): Promise<void> =>
  expect(await violationsInBothSchemes(on)).toEqual([]);

/** Creates a prompt. */
export const addPrompt = async (body: object): Promise<{ promptId: string; name: string }> =>
  (await ask('prompts-create', body)).prompt;

/** What an application gets for a prompt. */
export const getCompiled = async (body: object) =>
  (await instance.post('/api/prompt/get-compiled', body)).json.res;
