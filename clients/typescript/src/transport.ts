import { pauseMs } from './backoff.ts';
import {
  CuevaultError,
  CuevaultTimeoutError,
  invalidCall,
  RateLimitedError,
  UnavailableError,
} from './errors.ts';
import { isRetryable, type Reply, resultOf } from './reply.ts';
import { positive, resolveApiKey, resolveUrl, whole } from './settings.ts';
import { timerMs } from './timer.ts';
import { VERSION } from './version.ts';

/** The part of `fetch` that is used; the runtime's own fits, and so does a function of a test. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'POST';
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<Reply>;

export interface TransportOptions {
  /** Address of the service. @default CUEVAULT_URL, else http://localhost:3000 */
  readonly url?: string | undefined;
  /** @default CUEVAULT_API_KEY */
  readonly apiKey?: string | undefined;
  /** Milliseconds for one attempt. @default 5000 */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for all attempts and the pauses between them. @default 15000 */
  readonly totalTimeoutMs?: number | undefined;
  /** Further attempts after a connection error, 429, 502, 503 or 504. @default 2 */
  readonly retries?: number | undefined;
  /** What sends the requests. @default the runtime's fetch */
  readonly fetch?: Fetch | undefined;
}

export interface Transport {
  readonly url: string;
  readonly apiKey: string;
  /** Posts a body and returns `res`. Errors: all that the client has, but for `configuration`. */
  readonly post: (path: string, body: object) => Promise<Record<string, unknown>>;
}

const toJson = (body: object): string => {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw invalidCall('The request holds something that JSON cannot hold.', cause);
  }
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, timerMs(ms)));

const exchangeError = (url: string, cause: unknown): UnavailableError => {
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as { code?: unknown };
  // What zlib, Brotli and Zstandard say of what they cannot unpack.
  if (/^(Z|ERR__|ERR_BROTLI)/.test(String(code))) {
    return new UnavailableError('The reply cannot be unpacked.', { code: 'invalid_reply', cause });
  }
  const detail = typeof code === 'string' ? ` (${code})` : '';
  return new UnavailableError(`Cuevault at ${url} cannot be reached, or the connection broke off${detail}.`, {
    code: 'connection_failed',
    cause,
  });
};

/** Runs `call` under a signal that fires after `ms`, and does not wait for a transport that ignores it. */
const within = async <Result>(
  ms: number,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const sentence = `Cuevault did not answer within ${Math.round(ms)} ms.`;
      reject(new CuevaultTimeoutError(sentence, { code: 'timeout' }));
      controller.abort();
    }, timerMs(ms));
  });
  try {
    return await Promise.race([call(controller.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
};

const limitsOf = ({ timeoutMs = 5_000, totalTimeoutMs = 15_000, retries = 2 }: TransportOptions) => ({
  timeoutMs: positive('timeoutMs', timeoutMs),
  totalTimeoutMs: positive('totalTimeoutMs', totalTimeoutMs),
  retries: whole('retries', retries, 0),
});

/** Makes what talks to the service. Errors: `configuration`. */
export const createTransport = (options: TransportOptions): Transport => {
  const url = resolveUrl(options.url);
  const apiKey = resolveApiKey(options.apiKey);
  const { timeoutMs, totalTimeoutMs, retries } = limitsOf(options);
  // Looked up at each call, and called without `this`: Workers insist on the latter.
  const fetch: Fetch = options.fetch ?? ((...args) => globalThis.fetch(...args));
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'user-agent': `cuevault-typescript/${VERSION}`,
  };

  const exchange = async (path: string, body: string, signal: AbortSignal) => {
    try {
      const reply = await fetch(url + path, { method: 'POST', headers, body, redirect: 'manual', signal });
      return { reply, content: await reply.arrayBuffer() };
    } catch (cause) {
      throw exchangeError(url, cause);
    }
  };

  const attempt = async (path: string, body: string, ms: number) => {
    const { reply, content } = await within(ms, (signal) => exchange(path, body, signal));
    return resultOf(reply, content);
  };

  const post = async (path: string, body: object) => {
    const text = toJson(body);
    const end = Date.now() + totalTimeoutMs;
    let earlier: CuevaultError | undefined;
    for (let count = 1; ; count++) {
      const left = end - Date.now();
      try {
        return await attempt(path, text, Math.min(timeoutMs, left));
      } catch (error) {
        // An attempt that was cut short says nothing; the one before it was given its time.
        if (earlier !== undefined && left < timeoutMs && error instanceof CuevaultTimeoutError) throw earlier;
        if (!(error instanceof CuevaultError) || !isRetryable(error) || count > retries) throw error;
        earlier = error;
        const pause = pauseMs(count, error instanceof RateLimitedError ? error.retryAfter : 0);
        if (Date.now() + pause >= end) throw error;
        await sleep(pause);
      }
    }
  };
  return { url, apiKey, post };
};
