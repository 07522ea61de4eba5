import { ageOf } from '../cache/cache.ts';
import { type CallOptions, Loader, type LoaderSettings, type Query } from '../cache/loader.ts';
import { AuthenticationError, isRefusal } from '../errors.ts';
import { codeOf, type Subject } from '../events.ts';
import type { Call, Transport } from '../http/transport.ts';
import { warn } from '../platform.ts';
import { invalidCall, invalidReply } from '../refusals.ts';
import {
  CALL,
  checkCall,
  checkOptions,
  isText,
  type Names,
  refuse,
  resolveEnvironment,
} from '../settings.ts';
import { ownValue, type SecretsRequest, type SecretsResult } from '../wire.ts';

const HIDDEN = '[hidden]';

function names(this: object): Record<string, string> {
  return Object.fromEntries(Object.keys(this).map((name) => [name, HIDDEN]));
}

// What console.log of Node.js, Bun and Deno asks for. No other name: own properties are secrets.
const HIDES = { [Symbol.for('nodejs.util.inspect.custom')]: { value: names } };

const refuseJson = (): never => {
  throw invalidCall('Secrets are not written as JSON: pass { ...secrets } where their values are meant.');
};

const PROTOTYPE = Object.create(Object.prototype, { ...HIDES, toJSON: { value: refuseJson } });

/** The same secrets, plain data but for `console.log`, which shows their names alone. */
export const plainSecrets = (secrets: SecretsResult): Record<string, string> =>
  Object.defineProperties({ ...secrets }, HIDES);

/**
 * Secrets that show their names but not their values in `console.log` and `console.dir`, and refuse `JSON.stringify`.
 * `{ ...secrets }` is a plain object again.
 */
const hideValues = (secrets: SecretsResult): Record<string, string> => {
  const values = { ...secrets };
  // Accessors: console.dir asks for no symbol, but runs no getter. Not by assignment: a secret may be called __proto__.
  const accessors = Object.keys(values).map((name) => {
    const set = (value: string) => Object.assign(values, { [name]: value });
    return [name, { get: () => values[name], set, enumerable: true, configurable: true }];
  });
  return Object.create(PROTOTYPE, Object.fromEntries(accessors));
};

/** Keeps secrets for outages; `cuevault/offline` keeps them on disk. */
export interface OfflineCopy {
  /** The folder of the copies, for messages. */
  readonly directory?: string | undefined;
  save(owner: OfflineOwner, secrets: SecretsResult): Promise<void>;
  /** Undefined if there is none that can be read and is recent enough. */
  load(owner: OfflineOwner): Promise<{ readonly secrets: SecretsResult; readonly ageMs: number } | undefined>;
  /** Deletes the copy of this owner, if there is one; with `isKeyRefused`, all copies of its API key end. */
  drop(owner: OfflineOwner, isKeyRefused?: boolean): Promise<void>;
}

/** Whose copy: secrets of this service, read with this API key, by this filter. */
export interface OfflineOwner extends SecretsRequest {
  readonly url: string;
  readonly apiKey: string;
}

export interface GetSecretOptions extends CallOptions {
  /** The environment whose secrets are meant. @default that of the client */
  readonly environment?: string | undefined;
  /** Only secrets that have all of these tags. */
  readonly tags?: readonly string[] | undefined;
}

export interface Secrets {
  /**
   * The value of one secret; with `tags` only if it has every one of them. With `fresh`, only the service answers.
   * Errors: those of `all`, NotFoundError, InvalidRequestError (no key, nothing was sent).
   */
  get(key: string, options?: GetSecretOptions): Promise<string>;
  /**
   * All secrets, or those that have every one of `tags`, by key. `console.log` and `console.dir` of the object hide the
   * values; `JSON.stringify` fails, and takes `{ ...secrets }`.
   * Errors: AuthenticationError, PermissionDeniedError, InvalidRequestError, RateLimitedError, UnavailableError,
   * CuevaultTimeoutError; the reason of `signal`.
   */
  all(options?: GetSecretOptions): Promise<Record<string, string>>;
  /**
   * Sets what `all` returns as environment variables of this process, except `CUEVAULT_*`, and names that can change what
   * programs do unless `allow` has them. Returns the names of those that are not set. Errors: those of `all`.
   */
  apply(options?: ApplyOptions): Promise<string[]>;
}

export interface ApplyOptions extends GetSecretOptions {
  /** Names to set although they can change what programs do. @default none */
  readonly allow?: readonly string[] | undefined;
}

/** Where secrets came from: the service now, a recent copy, an old copy, or the copy on disk. */
export type SecretSource = 'service' | 'cache' | 'stale' | 'offline';

interface Found {
  readonly secrets: SecretsResult;
  readonly source: SecretSource;
  readonly ageMs: number;
}

const origins = new WeakMap<object, Omit<Found, 'secrets'>>();

/**
 * Where the object that `secrets.all` returned comes from, and how many milliseconds ago the service sent it. Not properties
 * of the object: a secret can have any name. Undefined for other objects.
 */
export const originOf = (secrets: object): Omit<Found, 'secrets'> | undefined => origins.get(secrets);

export interface SecretSettings extends LoaderSettings {
  readonly environment: string | undefined;
  /** Milliseconds for which a copy of secrets is recent; 0 keeps none. */
  readonly secretsMs: number;
  readonly offline: OfflineCopy | undefined;
}

const NAMES: Names<GetSecretOptions> = { ...CALL, environment: true, tags: true };

const PATH = '/api/vault/get-secrets';

const subjectOf = ({ key }: SecretsRequest): Subject => ({ operation: 'secrets', name: key });

const keyOf = ({ key, tags, environment }: SecretsRequest): string =>
  JSON.stringify([key, [...new Set(tags)].sort(), environment]);

/** The request whose answer has that of another one in it. */
const widerThan = (request: SecretsRequest): readonly SecretsRequest[] =>
  request.key === undefined ? [] : [{ ...request, key: undefined }];

/** Asks the service for secrets. Errors: those of the transport, and `invalid_reply`. */
export const fetchSecrets = async (
  { send }: Transport,
  request: SecretsRequest,
  how: Omit<Call, 'path' | 'body' | 'subject'> = {},
): Promise<SecretsResult> => {
  const res = await send({ path: PATH, body: request, subject: subjectOf(request), ...how });
  if (!Object.values(res).every((value) => typeof value === 'string')) {
    throw invalidReply('The reply contains something other than secrets.');
  }
  return res as SecretsResult;
};

/** The secrets of the service; no copy is kept unless asked for. */
export const createSecrets = (transport: Transport, settings: SecretSettings): Secrets => {
  const { secretsMs, maxStaleMs, offline, emit } = settings;
  const loader = new Loader<SecretsResult>(transport, settings);

  const ownerOf = (request: SecretsRequest): OfflineOwner => {
    const { url, apiKey } = transport.connection();
    if (apiKey === '')
      throw refuse(
        'Offline copies of a trust need CUEVAULT_TRUST, its audience, and CUEVAULT_OFFLINE_KEY, a secret of your own.',
      );
    return { url, apiKey, ...request };
  };

  const keep = async (request: SecretsRequest, secrets: SecretsResult): Promise<void> => {
    try {
      await offline?.save(ownerOf(request), secrets);
    } catch (cause) {
      const error = codeOf(cause);
      emit?.({ ...subjectOf(request), type: 'offline_failed', error });
      const place = offline?.directory ? ` in ${JSON.stringify(offline.directory)}` : '';
      if (emit === undefined) warn(`The offline copy${place} could not be written (${error}).`);
    }
  };

  const queryFor = (request: SecretsRequest, key: string, ttlMs = 0): Query<SecretsResult> => ({
    key,
    subject: subjectOf(request),
    isKept: Math.max(secretsMs, ttlMs) > 0,
    isFixed: false,
    start: async (signal, { isForCaller: _, ...how }) => {
      try {
        const secrets = await fetchSecrets(transport, request, { signal, ...how });
        await keep(request, secrets);
        return secrets;
      } catch (error) {
        if (isRefusal(error)) {
          for (const asked of [request, ...widerThan(request)]) {
            loader.cache.delete(keyOf(asked));
            await offline?.drop(ownerOf(asked), error instanceof AuthenticationError).catch(() => undefined);
          }
        }
        throw error;
      }
    },
  });

  const copyFor = async (
    request: SecretsRequest,
    key: string,
    error: unknown,
  ): Promise<Found | undefined> => {
    const served = { ...subjectOf(request), type: 'stale_served', error: codeOf(error) } as const;
    const wider = widerThan(request);
    const has = (secrets: SecretsResult) => request.key === undefined || Object.hasOwn(secrets, request.key);
    for (const asked of [key, ...wider.map(keyOf)]) {
      const copy = loader.cache.get(asked);
      const ageMs = ageOf(copy);
      if (copy === undefined || ageMs > maxStaleMs || !has(copy.value)) continue;
      emit?.({ ...served, origin: 'memory', ageMs });
      return { secrets: copy.value, source: 'stale', ageMs };
    }
    for (const asked of [request, ...wider]) {
      const onDisk = await offline?.load(ownerOf(asked));
      if (onDisk === undefined || !has(onDisk.secrets)) continue;
      emit?.({ ...served, origin: 'offline', ageMs: onDisk.ageMs });
      return { ...onDisk, source: 'offline' };
    }
    return undefined;
  };

  const find = async (which: string | undefined, options: GetSecretOptions): Promise<Found> => {
    checkOptions(options, NAMES);
    checkCall(options);
    const { fresh, tags, ttlMs } = options;
    // The tags of an empty text are those of no filter.
    if (!Array.isArray(tags ?? [])) throw invalidCall('"tags" must be a list of strings.');
    const environment = resolveEnvironment(options.environment ?? settings.environment);
    const request = { key: which, environment, tags };
    const key = keyOf(request);
    const copy = fresh === true ? undefined : loader.cache.get(key);
    const ageMs = ageOf(copy);
    if (copy !== undefined && ageMs < (ttlMs ?? secretsMs)) {
      emit?.({ ...subjectOf(request), type: 'cache_hit', ageMs });
      return { secrets: copy.value, source: 'cache', ageMs };
    }
    // Awaited, so that the stack of an error leads to the caller.
    return await loader.ask<Found>(
      queryFor(request, key, ttlMs),
      options,
      (secrets) => ({ secrets, source: 'service', ageMs: 0 }),
      (error) => (fresh === true ? undefined : copyFor(request, key, error)),
    );
  };

  const all = async (options: GetSecretOptions = {}) => {
    const { secrets, ...origin } = await find(undefined, options);
    // Each caller gets its own copy: the cached object is shared.
    const own = hideValues(secrets);
    origins.set(own, origin);
    return own;
  };

  return {
    get: async (key, options = {}) => {
      // Without a key the service would return every secret.
      if (!isText(key)) throw invalidCall('Pass the key of the secret.');
      const value = ownValue((await find(key, options)).secrets, key);
      if (value === undefined) throw invalidReply('The reply lacks the secret.');
      return value;
    },
    all,
    apply: async ({ allow, ...options } = {}) => {
      const { setEnvironment } = await import('./environment.ts');
      return setEnvironment(await all(options), { allow });
    },
  };
};
