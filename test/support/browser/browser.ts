import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { IDENTITY_PATH, LINK_EXCHANGE } from '../../../local/identity/paths.ts';
import { provideBrowser } from '../../../scripts/browser.ts';
import type { SharedInstance } from '../calls.ts';
import { emailOf, ensureOperator } from '../operators.ts';
import { createBrowser, linkOf, signIn } from '../sign-in.ts';

// A process that the zygote forks is nobody's child when the browser has ended: its time would not be counted.
const ARGUMENTS =
  '--headless --no-sandbox --no-zygote --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
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

const options = (...others: readonly string[]): LaunchOptions => ({
  executablePath: process.env.CHROMIUM_PATH ?? provideBrowser(),
  args: [...others, ...ARGUMENTS.split(' '), `--disable-features=${FEATURES_OFF.join(',')}`],
});

export const openBrowser = (): Promise<Browser> => chromium.launch(options());

/** Starts a browser that other processes connect to. The pages of tests end before optimized code pays. */
export const startBrowser = (): Promise<BrowserServer> =>
  chromium.launchServer(options('--js-flags=--no-opt --no-maglev'));

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

/** Gives a browser profile the provider's session of an operator of these groups. */
export const admit = async (
  context: BrowserContext,
  instance: SharedInstance,
  groups: readonly string[] = ['admin'],
): Promise<void> => {
  await ensureOperator(instance, groups);
  const apart = createBrowser();
  await signIn(instance, emailOf(groups), { browser: apart });
  const place = { domain: 'localhost', path: IDENTITY_PATH, httpOnly: true };
  await context.addCookies(
    [...apart.cookies]
      .filter(([name]) => name.startsWith('cuevault_session'))
      .map(([name, value]) => ({ name, value, ...place })),
  );
};

/** Gives a browser profile a pass for one sign-in, as the page of the link does. */
export const givePass = async (context: BrowserContext, instance: SharedInstance): Promise<void> => {
  const { origin, hash } = new URL(linkOf(instance));
  await context.request.post(origin + LINK_EXCHANGE, { headers: { origin }, data: hash.slice(1) });
};

/** A browser profile that nobody has used. */
export const newProfile = async (
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> => {
  const context = await browser.newContext({ ...SAME_EVERYWHERE, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  // That of test/faults.
  await context.addInitScript(`globalThis.CUEVAULT_FAULT = ${process.env.CUEVAULT_FAULT ?? 0}`);
  return context;
};

/** Opens the admin site in a separate browser profile, signed in as an operator of these groups. */
export const visit = async (
  browser: Browser,
  instance: SharedInstance,
  { groups = ['admin'], path = '/prompts', ...options }: VisitOptions = {},
): Promise<Visit> => {
  const context = await newProfile(browser, options);
  await admit(context, instance, groups);
  const page = await context.newPage();
  watch(page);
  const signedIn = page.waitForResponse((response) => response.url().endsWith('/oidc/token'));
  await page.goto(instance.url + path);
  await signedIn;
  await page.waitForURL(instance.url + path);
  return { page, close: () => context.close() };
};
