import { type CuevaultEvent, emitterFor } from './events.ts';
import { createTransport, type TransportOptions } from './http/transport.ts';
import { platform } from './platform.ts';
import { createPrompts, type Prompts } from './prompts/prompts.ts';
import type { Strict } from './prompts/templates.ts';
import { createSecrets, type OfflineCopy, type Secrets } from './secrets/secrets.ts';
import {
  CONNECTION,
  checkOptions,
  integer,
  type Names,
  notNegative,
  refuse,
  resolveEnvironment,
} from './settings.ts';

export interface CacheOptions {
  /**
   * Milliseconds, ±10 %, for which a copy of the latest version or of a label is used without a call; exact versions never
   * expire. @default 60000
   */
  readonly latestMs?: number | undefined;
  /** Milliseconds that a call waits for the refresh of an older copy before that copy answers. @default 1000 */
  readonly refreshWaitMs?: number | undefined;
  /** Milliseconds that secrets are kept in memory. @default 0, not at all */
  readonly secretsMs?: number | undefined;
  /** Maximum age of a served copy in milliseconds. @default 86400000, one day */
  readonly maxStaleMs?: number | undefined;
  /** Maximum number of cached prompts, and of cached secrets. @default 500 */
  readonly maxEntries?: number | undefined;
}

type Bounds = { -readonly [name in keyof CacheOptions]-?: number };

export interface CuevaultOptions extends TransportOptions {
  /** `false`: every read calls the service, and no call is shared. */
  readonly cache?: CacheOptions | false | undefined;
  /** Keeps secrets for outages; see `cuevault/offline`. @default none */
  readonly offline?: OfflineCopy | undefined;
  /** The default strictness of `compile`. @default false */
  readonly strict?: Strict | undefined;
  /**
   * The environment of secrets, and the label of prompts that are asked for without one; `default` names no label.
   * @default CUEVAULT_ENVIRONMENT, else `default`
   */
  readonly environment?: string | undefined;
  /**
   * The label of calls that name neither version nor label.
   * @default `environment`, else CUEVAULT_LABEL, else CUEVAULT_ENVIRONMENT, else the latest version
   */
  readonly label?: string | undefined;
  /** Gets each event. The client itself never logs. */
  readonly onEvent?: ((event: CuevaultEvent) => void) | undefined;
  /** Gets the work in the background, for runtimes that end with the request. @default that of Workers, where it exists */
  readonly waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
}

/** The options of the cache, with their defaults. */
const CACHE: Bounds = {
  latestMs: 60_000,
  refreshWaitMs: 1_000,
  secretsMs: 0,
  maxStaleMs: 86_400_000,
  maxEntries: 500,
};

const NAMES: Names<CuevaultOptions> = {
  ...CONNECTION,
  pauseMs: true,
  cache: true,
  offline: true,
  strict: true,
  environment: true,
  label: true,
  onEvent: true,
  waitUntil: true,
};

const boundsOf = ({ cache = {} }: CuevaultOptions): Bounds => {
  if (cache === false) return { ...CACHE, maxEntries: 0 };
  if (typeof cache !== 'object') throw refuse('cache must be an object of options, or false.');
  checkOptions(cache, CACHE, 'cache.');
  integer('cache.maxEntries', cache.maxEntries ?? CACHE.maxEntries, 1);
  const bounds = { ...CACHE };
  for (const name of Object.keys(CACHE) as (keyof Bounds)[])
    bounds[name] = notNegative(`cache.${name}`, cache[name] ?? CACHE[name]);
  return bounds;
};

/** A client of one service with one API key. Create one and keep it: the cache is part of it. */
export class Cuevault {
  readonly prompts: Prompts;
  readonly secrets: Secrets;
  readonly #options: CuevaultOptions;
  readonly #close: () => void;

  /**
   * The environment is read at the first call, so a missing API key fails there.
   * Errors: CuevaultError `configuration` for invalid or unknown options.
   */
  constructor(options: CuevaultOptions = {}) {
    checkOptions(options, NAMES);
    const emit = emitterFor(options.onEvent);
    const bounds = boundsOf(options);
    const transport = createTransport(options, emit);
    this.#options = options;
    this.#close = transport.close;
    const { offline, strict, environment, waitUntil = (promise) => platform.waitUntil?.(promise) } = options;
    if (offline !== undefined && typeof offline.load !== 'function')
      throw refuse('offline must be what offlineCopy returns.');
    const named = environment === undefined ? undefined : (resolveEnvironment(environment) ?? '');
    const { label = named } = options;
    this.prompts = createPrompts(transport, { ...bounds, strict, label, emit, waitUntil });
    this.secrets = createSecrets(transport, { ...bounds, environment, offline, emit, waitUntil });
  }

  /**
   * Another client, with these options in place of its own; the copies of this one stay here.
   * Errors: CuevaultError `configuration` for invalid or unknown options.
   */
  withOptions(options: CuevaultOptions): Cuevault {
    checkOptions(options, NAMES);
    return new Cuevault({ ...this.#options, ...options });
  }

  /** Ends the work in the background. Calls that run, and later ones, fail with CuevaultError `configuration`. */
  close(): void {
    this.#close();
  }
}
