// The entry point for Cloudflare Workers: `index.ts` with the features of this runtime.
import * as workers from 'cloudflare:workers';
import { platform } from './platform.ts';

platform.environment = workers.env as Readonly<Record<string, unknown>>;
platform.waitUntil = (promise) => {
  try {
    workers.waitUntil?.(promise);
  } catch {
    // Outside a request, waiting is not possible.
  }
};

export * from './index.ts';
