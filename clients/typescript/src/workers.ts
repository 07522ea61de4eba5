// The entry for Cloudflare Workers: what `index.ts` has, with what this runtime offers.
import * as workers from 'cloudflare:workers';
import { platform } from './platform.ts';

platform.environment = workers.env as Readonly<Record<string, unknown>>;
platform.waitUntil = (promise) => {
  try {
    workers.waitUntil?.(promise);
  } catch {
    // Outside of a request nothing can be waited for.
  }
};

export * from './index.ts';
