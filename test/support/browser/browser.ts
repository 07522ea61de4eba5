import {
  type Browser,
  type BrowserContextOptions,
  type BrowserServer,
  type Cookie,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { provideBrowser } from '../../../scripts/browser.ts';
import type { SharedInstance } from '../calls.ts';
import { emailOf, ensureOperator, PASSWORD } from '../operators.ts';

const ARGUMENTS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
// The address bar's own pages take a fifth of the processor time, and are not visible here. The last such switch
// counts, so what Playwright turns off is named again.
const FEATURES_OFF = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect'],
  ...[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'LensOverlay',
  ],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints'],
  ...['PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning'],
];
const TIMEOUT_MS = Number(process.env.E2E_TIMEOUT ?? 60_000);

const options = (): LaunchOptions => ({
  executablePath: process.env.CHROMIUM_PATH ?? provideBrowser(),
  args: [...ARGUMENTS.split(' '), `--disable-features=${FEATURES_OFF.join(',')}`],
});

export const openBrowser = (): Promise<Browser> => chromium.launch(options());

/** Starts a browser that other processes connect to. */
export const startBrowser = (): Promise<BrowserServer> => chromium.launchServer(options());

export interface Visit {
  readonly page: Page;
  readonly close: () => Promise<void>;
}

// The browser logs each error reply of the service; the tests provoke some.
const isNoteOfRefusal = (text: string): boolean =>
  /^Failed to load resource: the server responded with a status of 4\d\d/.test(text);

/** Problems of the visits so far: console errors, uncaught errors, violations of the security policy. */
export const problems: string[] = [];

export const watch = (page: Page): void => {
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !isNoteOfRefusal(text)) problems.push(text);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
};

// The look and texts of a page do not depend on the machine's settings.
const SAME_EVERYWHERE: BrowserContextOptions = {
  viewport: { width: 1280, height: 900 },
  locale: 'en-US',
  timezoneId: 'UTC',
  colorScheme: 'light',
  reducedMotion: 'reduce',
};

export interface VisitOptions extends BrowserContextOptions {
  /** @default `['admin']` */
  readonly groups?: readonly string[];
  /** Where to go first. @default '/prompts' */
  readonly path?: string;
}

/** Fills in the provider's form. */
export const fillSignIn = async (page: Page, groups: readonly string[]): Promise<void> => {
  await page.getByLabel('E-mail address').fill(emailOf(groups));
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

// The provider's session of each operator: only the first visit fills in the form and waits for the password's hash.
const sessions = new WeakMap<SharedInstance, Map<string, readonly Cookie[]>>();

const sessionsOf = (instance: SharedInstance): Map<string, readonly Cookie[]> => {
  const known = sessions.get(instance) ?? new Map<string, readonly Cookie[]>();
  sessions.set(instance, known);
  return known;
};

const signInOn = async (page: Page, url: string, groups: readonly string[]): Promise<void> => {
  const signedIn = page.waitForResponse((response) => response.url().endsWith('/oidc/token'));
  signedIn.catch(() => {});
  await page.goto(url);
  const form = page.getByLabel('Password').waitFor();
  form.catch(() => {});
  if ((await Promise.race([signedIn, form])) === undefined) await fillSignIn(page, groups);
  await signedIn;
  await page.waitForURL(url);
};

/** Opens the admin site in a separate browser profile, signed in as an operator of these groups. */
export const visit = async (
  browser: Browser,
  instance: SharedInstance,
  { groups = ['admin'], path = '/prompts', ...options }: VisitOptions = {},
): Promise<Visit> => {
  await ensureOperator(instance, groups);
  const context = await browser.newContext({ ...SAME_EVERYWHERE, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const known = sessionsOf(instance);
  const operator = emailOf(groups);
  await context.addCookies([...(known.get(operator) ?? [])]);
  const page = await context.newPage();
  watch(page);
  await signInOn(page, instance.url + path, groups);
  known.set(operator, await context.cookies());
  return { page, close: () => context.close() };
};

/** Opens another screen as a click on a link would, without reloading the site. */
export const show = (page: Page, path: string): Promise<void> =>
  page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'));`,
  );
