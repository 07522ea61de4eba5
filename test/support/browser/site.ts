import { type Browser, chromium } from 'playwright-core';
import { type OwnInstance, ownInstance } from '../shared/instance.ts';
import { browserAddress } from '../shared/remote.ts';

/** The browser of this Jest worker, once `openSite` has opened it. */
export let browser: Browser;
/** The instance of this test file, once `openSite` has opened it. */
export let instance: OwnInstance;

/** Opens an instance, and connects to the browser, before the tests of a file. Afterwards closes all that they opened. */
export const openSite = (options: Parameters<typeof ownInstance>[0] = {}): void => {
  beforeAll(async () => {
    [browser, instance] = await Promise.all([
      browserAddress().then((address) => chromium.connect(address)),
      ownInstance({ consumes: 'after-writes', ...options }),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await instance?.stop();
  });
};
