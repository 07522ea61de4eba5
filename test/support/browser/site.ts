import { type Browser, chromium } from 'playwright-core';
import { useInstance } from '../admin.ts';
import { type OwnInstance, ownInstance } from '../shared/instance.ts';
import { browserAddress } from '../shared/remote.ts';
import { problems } from './browser.ts';

/** The browser of this Jest worker, once `openSite` has opened it. */
export let browser: Browser;
/** The instance of this test file, once `openSite` has opened it. */
export let instance: OwnInstance;

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
