import type { Browser } from 'playwright-core';
import { type OwnInstance, ownInstance } from '../shared/instance.ts';
import { openBrowser } from './browser.ts';

/** The browser of this test file, once `openSite` has opened it. */
export let browser: Browser;
/** The instance of this test file, once `openSite` has opened it. */
export let instance: OwnInstance;

/** Opens a browser and an instance before the tests of a file, and closes both after them. */
export const openSite = (options: Parameters<typeof ownInstance>[0] = {}): void => {
  beforeAll(async () => {
    [browser, instance] = await Promise.all([
      openBrowser(),
      ownInstance({ consumes: 'after-writes', ...options }),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await instance?.stop();
  });
};
