import { now } from '../clock.ts';
import { type Credential, keyIdOf, resolveCredential, type TokenProvider } from '../credential.ts';
import {
  AuthenticationError,
  CuevaultError,
  CuevaultTimeoutError,
  notSent,
  UnavailableError,
} from '../errors.ts';
import type { Emit, Subject } from '../events.ts';
import { builtin, environmentVariable } from '../platform.ts';
import { invalidCall } from '../refusals.ts';
import { integer, isLoopback, notNegative, positive, refuse, resolveUrl } from '../settings.ts';
import { VERSION } from '../version.ts';
import { contentOf, isRetryable, type Reply, resultOf } from './reply.ts';
import { backoffMs, Frozen, startTimer, waitFor } from './timer.ts';

type Http = Pick<typeof import('node:http'), 'Agent' | 'request'>;

interface Init {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/**
 * A fetch for addresses of this machine: with a proxy in the environment, a runtime's own fetch would send the API key to
 * that proxy. Undefined in a runtime without Node's modules.
 */
export const directFetch = (address: string): ((url: string, init: Init) => Promise<Reply>) | undefined => {
  const http = builtin<Http>(address.startsWith('https:') ? 'node:https' : 'node:http');
  const stream = builtin<typeof import('node:stream')>('node:stream');
  if (http === undefined || stream === undefined) return undefined;
  const agent = new http.Agent({ keepAlive: true });
  return (url, { body, ...init }) =>
    new Promise((resolve, reject) => {
      const request = http.request(url, { ...init, agent }, (response) => {
        const get = (name: string) => response.headers[name]?.toString() ?? null;
        const content = stream.Readable.toWeb(response) as ReadableStream<Uint8Array<ArrayBuffer>>;
        const arrayBuffer = () => new Response(content).arrayBuffer();
        resolve({ status: response.statusCode ?? 0, headers: { get }, body: content, arrayBuffer });
      });
      request.on('error', reject);
      // As with fetch: the timers of the call hold the process.
      request.on('socket', (socket) => socket.unref());
      request.end(body);
    });
};

/** The longest pause that a reply can request. */
const LONGEST_REST_MS = 300_000;
/** An outage is forgotten this long after its pause if no call has probed the service. */
const FORGET_MS = 60_000;

/** Whether an error means that the whole service cannot answer now; a 500 concerns one call only. */
export const isServiceFailure = (error: CuevaultError): boolean =>
  isRetryable(error) || error instanceof CuevaultTimeoutError;

/**
 * Remembers an outage (circuit breaker; Michael Nygard, Release It!, 2007): after a failed call nothing is sent for a
 * while, then one probe at a time, until a call succeeds.
 */
export class Breaker {
  readonly #pauseMs: number;
  #error: CuevaultError | undefined;
  #restUntil = 0;
  #probeUntil = 0;

  /** `pauseMs` is the shortest pause; 0 for none. */
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** The error of the failed call during an outage, else undefined. */
  get outage(): CuevaultError | undefined {
    if (this.#error !== undefined && now() > this.#restUntil + FORGET_MS) this.#error = undefined;
    return this.#error;
  }

  /** Whether a request may be sent now, possibly as a probe. */
  get allows(): boolean {
    return this.outage === undefined || now() >= Math.max(this.#restUntil, this.#probeUntil);
  }

  /**
   * Begins a probe that takes `ms` at most; 0 ends a probe without a result. One that never reports, because its
   * runtime was stopped, blocks no later one.
   */
  startProbe(ms: number): void {
    this.#probeUntil = now() + ms;
  }

  /** A call did not fail, or failed for a reason that says nothing about the service. */
  close(): void {
    this.#error = undefined;
    this.#probeUntil = 0;
  }

  /** A call failed. Returns the milliseconds of the pause that begins now, 0 if none does. */
  open(error: CuevaultError): number {
    if (this.#pauseMs === 0) return 0;
    const asked = (error.retryAfter ?? 0) * 1000;
    const pauseMs = Math.max(this.#pauseMs, Math.min(asked, LONGEST_REST_MS));
    const at = now();
    const begins = this.#error === undefined || at >= this.#restUntil;
    this.#error = error;
    this.#restUntil = Math.max(begins ? 0 : this.#restUntil, at + pauseMs);
    this.#probeUntil = 0;
    return begins ? pauseMs : 0;
  }
}

/** The part of `fetch` that is used, so that tests can pass their own function. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'GET' | 'POST';
    readonly headers: Record<string, string>;
    readonly body?: string;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<Reply>;

export interface TransportOptions {
  /** Address of the service. @default CUEVAULT_URL, else http://localhost:3000 */
  readonly url?: string | undefined;
  /**
   * The API key, or a function that returns a token for the audience of a trust before each request.
   * @default CUEVAULT_API_KEY, else the content of the file that CUEVAULT_API_KEY_FILE names, else a token of the platform for the audience CUEVAULT_TRUST
   */
  readonly apiKey?: string | TokenProvider | undefined;
  /** Accept `http://` to another machine: API key and secrets travel unencrypted. @default CUEVAULT_ALLOW_INSECURE_HTTP, else false */
  readonly allowInsecureHttp?: boolean | undefined;
  /** Milliseconds for one attempt. @default 5000 */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for all attempts and the pauses between them. @default 15000 */
  readonly totalTimeoutMs?: number | undefined;
  /** Further attempts after a connection error, 429, 502, 503 or 504. @default 2 */
  readonly maxRetries?: number | undefined;
  /** Milliseconds in which nothing is sent after a failed call; 0 turns this off. @default 5000 */
  readonly pauseMs?: number | undefined;
  /** What sends the requests. @default the runtime's fetch */
  readonly fetch?: Fetch | undefined;
}

/** A request: a POST, or a GET without a body. */
export interface Call {
  readonly path: string;
  readonly body?: object;
  readonly subject: Subject;
  readonly signal?: AbortSignal | undefined;
  /** Whether it is sent during the pause after a failed call too. */
  readonly force?: boolean | undefined;
  /** Further attempts. @default those of the transport */
  readonly maxRetries?: number | undefined;
  /** Whether the process stays alive for it. @default true */
  readonly holds?: boolean | undefined;
}

/** Where requests go. */
export interface Connection {
  readonly url: string;
  /** Whose copies are: that of the credential. */
  readonly apiKey: string;
}

const toJson = (body: object | undefined): string | undefined => {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw invalidCall('The request contains a value that JSON cannot express.', cause);
  }
};

/** The error of a refused key or token, with what was sent where. */
const sentTo = (error: unknown, { url, apiKey }: Connection): unknown => {
  if (!(error instanceof AuthenticationError)) return error;
  const keyId = keyIdOf(apiKey);
  const what = keyId === undefined ? 'It' : `The key with the id ${keyId}`;
  return new AuthenticationError(`${error.message} ${what} was sent to ${url}.`, error);
};

/** What to do about a certificate that is not accepted, or a proxy that Node.js does not use. */
const hintFor = (code: unknown): string => {
  if (/CERT|UNABLE_TO_(VERIFY|GET)/.test(String(code)))
    return ' NODE_EXTRA_CA_CERTS names further authorities.';
  const isIgnored = isProxySet() && environmentVariable('NODE_USE_ENV_PROXY') === undefined;
  return isIgnored ? ' Node.js uses a proxy only with NODE_USE_ENV_PROXY=1.' : '';
};

const exchangeError = (url: string, isDefault: boolean, cause: unknown): UnavailableError => {
  // That of fetch is in the cause of its error, that of a broken reply in the error itself.
  const { code } = ((cause as Error | undefined)?.cause ?? cause ?? {}) as { code?: unknown };
  // Error codes of zlib, Brotli and Zstandard for data that they cannot decompress.
  if (/^(Z|ERR__|ERR_BROTLI)/.test(String(code))) {
    return new UnavailableError('The reply cannot be decompressed.', { code: 'invalid_reply', cause });
  }
  const detail = typeof code === 'string' ? ` (${code})` : '';
  const hint = isDefault ? ' CUEVAULT_URL is not set; npm start starts one there.' : '';
  const sentence = `Cuevault at ${url} cannot be reached, or the connection was lost${detail}.${hint}${hintFor(code)}`;
  return new UnavailableError(sentence, { code: 'connection_failed', cause });
};

type Exchange = (
  path: string,
  body: string | undefined,
  signal: AbortSignal,
) => Promise<[Reply, ArrayBuffer]>;

interface SentHeaders {
  readonly headers: string;
  readonly socket: { readonly unref: () => void };
}

let areReleased = false;

/** The timers of a call hold the process for it, so that no connection needs to: a refresh may hang when it ends. */
const releaseConnections = (): void => {
  if (areReleased) return;
  areReleased = true;
  const channels = builtin<typeof import('node:diagnostics_channel')>('node:diagnostics_channel');
  channels?.subscribe('undici:client:sendHeaders', (message) => {
    const { headers, socket } = message as SentHeaders;
    if (headers.includes(USER_AGENT)) socket.unref();
  });
};

const USER_AGENT = `cuevault-typescript/${VERSION}`;

const isProxySet = (): boolean =>
  ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].some((name) =>
    [name, name.toLowerCase()].some((spelled) => environmentVariable(spelled) !== undefined),
  );

const fetchFor = (url: string): Fetch => {
  const direct = isProxySet() && isLoopback(new URL(url)) ? directFetch(url) : undefined;
  // Looked up at each call, and called without `this`: Workers insist on the latter.
  return direct ?? ((...args) => globalThis.fetch(...args));
};

/** Sends one request. Errors of a request: `connection_failed`, `invalid_reply`. */
const exchangeWith = (options: TransportOptions, url: string, { bearer }: Credential): Exchange => {
  const fetch = options.fetch ?? fetchFor(url);
  const isDefault = (options.url ?? environmentVariable('CUEVAULT_URL')) === undefined;
  const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT };
  return async (path, body, signal) => {
    // Its errors are not those of the connection.
    const authorization = `Bearer ${await bearer()}`;
    try {
      const reply = await fetch(url + path, {
        headers: { ...headers, authorization },
        ...(body === undefined ? { method: 'GET' } : { method: 'POST', body }),
        redirect: 'manual',
        signal,
      });
      return [reply, await contentOf(reply)];
    } catch (cause) {
      if (cause instanceof CuevaultError) throw cause;
      throw exchangeError(url, isDefault, cause);
    }
  };
};

/** So often a call is sent again because the process was frozen. */
const MOST_THAWS = 3;

/** One attempt, no longer than `ms`: it does not wait for a transport that ignores its signal. */
const attemptWith = async (
  exchange: Exchange,
  { path, signal, holds }: Call,
  body: string | undefined,
  ms: number,
  running: Set<AbortController>,
): Promise<[Reply, ArrayBuffer]> => {
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', stop);
  running.add(controller);
  try {
    const limits = { ms, signal: controller.signal, endsFrozen: true, holds };
    return await waitFor(exchange(path, body, controller.signal), limits);
  } catch (error) {
    controller.abort();
    throw error;
  } finally {
    running.delete(controller);
    signal?.removeEventListener('abort', stop);
  }
};

/** Whether an attempt ended because the process was frozen; `lateMs` is how much longer than its limit it took. */
const wasFrozen = (error: unknown, lateMs: number): boolean =>
  error instanceof Frozen || (lateMs > 0 && (error as CuevaultError).code === 'connection_failed');

/** Creates the connection to the service; settings are read at the first call. Errors: `configuration`. */
export const createTransport = (options: TransportOptions, emit?: Emit) => {
  let known: (Connection & { readonly exchange: Exchange }) | undefined;
  /** Read from options and environment at the first use. Errors: `configuration`. */
  const connection = () => {
    if (known === undefined) {
      const url = resolveUrl(options.url, options.allowInsecureHttp);
      const credential = resolveCredential(options.apiKey);
      known = { url, apiKey: credential.owner, exchange: exchangeWith(options, url, credential) };
    }
    return known;
  };
  const { timeoutMs = 5_000, totalTimeoutMs = 15_000, maxRetries = 2, pauseMs = 5_000 } = options;
  positive('timeoutMs', timeoutMs);
  positive('totalTimeoutMs', totalTimeoutMs);
  integer('maxRetries', maxRetries, 0);
  const breaker = new Breaker(notNegative('pauseMs', pauseMs));
  const running = new Set<AbortController>();
  let closed: CuevaultError | undefined;

  const attempt = async (call: Call, body: string | undefined, ms: number, attempt: number) => {
    const begun = performance.now();
    let reply: Reply | undefined;
    const report = (error?: CuevaultError) =>
      emit?.({
        ...call.subject,
        type: 'request',
        attempt,
        durationMs: performance.now() - begun,
        status: reply?.status,
        requestId: reply?.headers.get('cuevault-request-id') ?? undefined,
        ignored: reply?.headers.get('cuevault-ignored') ?? undefined,
        error: error?.code,
      });
    if (closed !== undefined) throw closed;
    try {
      const [received, content] = await attemptWith(connection().exchange, call, body, ms, running);
      reply = received;
      const result = resultOf(reply, content);
      report();
      return result;
    } catch (error) {
      if (error instanceof CuevaultError) report(error);
      throw error;
    }
  };

  const attempts = async (
    call: Call,
    body: string | undefined,
    more: number,
  ): Promise<Record<string, unknown>> => {
    let end = now() + totalTimeoutMs;
    let earlier: CuevaultError | undefined;
    let thaws = 0;
    for (let count = 1; ; count++) {
      const begun = now();
      const left = end - begun;
      try {
        return await attempt(call, body, Math.min(timeoutMs, left), count);
      } catch (error) {
        // What was sent before a freeze counts as not sent, and says nothing about the service.
        if (wasFrozen(error, now() - begun - timeoutMs) && ++thaws <= MOST_THAWS) {
          end = now() + totalTimeoutMs;
          count--;
          continue;
        }
        if (error instanceof Frozen) throw exchangeError(connection().url, false, error);
        // An attempt that was cut short is not conclusive; the one before it had its full time.
        if (earlier !== undefined && left < timeoutMs && error instanceof CuevaultTimeoutError) throw earlier;
        if (!(error instanceof CuevaultError) || !isRetryable(error) || count > more) throw error;
        earlier = error;
        const delayMs = backoffMs(count, error.retryAfter);
        if (now() + delayMs >= end) throw error;
        emit?.({ ...call.subject, type: 'retry', attempt: count, delayMs, error: error.code });
        const pause = new Promise<void>((resolve) => startTimer(resolve, delayMs, call.holds));
        await waitFor(pause, { signal: call.signal });
      }
    }
  };

  const settle = (call: Call, error: unknown): void => {
    if (!(error instanceof CuevaultError)) breaker.startProbe(0);
    else if (!isServiceFailure(error)) breaker.close();
    else {
      const pauseMs = breaker.open(error);
      if (pauseMs > 0) emit?.({ ...call.subject, type: 'breaker_open', pauseMs, error: error.code });
    }
  };

  /** Sends a request and returns `res`. Errors: all errors of the client except `configuration`. */
  const send = async (call: Call) => {
    const body = toJson(call.body);
    if (call.holds === false) releaseConnections();
    connection();
    const { outage } = breaker;
    if (outage !== undefined) {
      if (!breaker.allows && call.force !== true) throw notSent(outage);
      breaker.startProbe(timeoutMs);
    }
    try {
      const result = await attempts(call, body, outage === undefined ? (call.maxRetries ?? maxRetries) : 0);
      breaker.close();
      return result;
    } catch (error) {
      settle(call, error);
      throw sentTo(error, connection());
    }
  };
  /** Ends the requests that run. Later calls fail with `configuration`. */
  const close = () => {
    closed = refuse('The client is closed.');
    for (const controller of running) controller.abort(closed);
  };
  return { connection, totalTimeoutMs, breaker, send, close };
};

export type Transport = ReturnType<typeof createTransport>;
