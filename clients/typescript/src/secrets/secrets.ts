import { ageOf } from '../cache/cache.ts';
import { type CallOptions, Loader, type LoaderSettings } from '../cache/loader.ts';
import { invalidCall, isOutage, isRefusal, UnavailableError } from '../errors.ts';
import { codeOf, type Subject } from '../events.ts';
import type { Transport } from '../http/transport.ts';
import { CALL, checkOptions, type Names } from '../options.ts';
import { checkCall, isText } from '../settings.ts';
import type { SecretsRequest, SecretsResult } from '../wire.ts';
import { hideValues } from './hidden.ts';

/** Keeps secrets for outages; `cuevault/offline` keeps them on disk. */
export interface OfflineCopy {
  save(owner: OfflineOwner, secrets: SecretsResult): Promise<void>;
  /** Undefined if there is none that can be read and is recent enough. */
  load(owner: OfflineOwner): Promise<{ readonly secrets: SecretsResult; readonly ageMs: number } | undefined>;
  /** Deletes the copy of this owner, if there is one. */
  drop(owner: OfflineOwner): Promise<void>;
}

/** Whose copy: secrets of this service, read with this API key, by this filter. */
export interface OfflineOwner extends SecretsRequest {
  readonly url: string;
  readonly apiKey: string;
}

export interface GetSecretOptions extends CallOptions {
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
   * All secrets, or those that have every one of `tags`, by key. `console.log` and `JSON.stringify` of the object hide the
   * values.
   * Errors: AuthenticationError, PermissionDeniedError, InvalidRequestError, RateLimitedError, UnavailableError,
   * CuevaultTimeoutError; the reason of `signal`.
   */
  all(options?: GetSecretOptions): Promise<Record<string, string>>;
}

export interface SecretSettings extends LoaderSettings {
  /** Milliseconds for which a copy of secrets is recent; 0 keeps none. */
  readonly secretsMs: number;
  /** Maximum age of a served copy in memory in milliseconds. */
  readonly maxStaleMs: number;
  readonly offline: OfflineCopy | undefined;
}

const NAMES: Names<GetSecretOptions> = { ...CALL, tags: true };

const PATH = '/api/vault/get-secrets';

const invalid = (message: string) => new UnavailableError(message, { code: 'invalid_reply', status: 200 });

const subjectOf = ({ key }: SecretsRequest): Subject => ({ operation: 'secrets', name: key });

/** Asks the service for secrets. Errors: those of the transport, and `invalid_reply`. */
export const fetchSecrets = async (
  { post }: Transport,
  request: SecretsRequest,
  signal?: AbortSignal,
): Promise<SecretsResult> => {
  const res = await post({ path: PATH, body: request, subject: subjectOf(request), signal });
  if (!Object.values(res).every((value) => typeof value === 'string')) {
    throw invalid('The reply contains something other than secrets.');
  }
  return res as SecretsResult;
};

/** The secrets of the service; no copy is kept unless asked for. */
export const createSecrets = (transport: Transport, settings: SecretSettings): Secrets => {
  const { secretsMs, maxStaleMs, offline, emit } = settings;
  const loader = new Loader<SecretsResult>(transport, settings);
  const { cache } = loader;

  const ownerOf = (request: SecretsRequest): OfflineOwner => {
    const { url, apiKey } = transport.connection();
    return { url, apiKey, ...request };
  };

  const keep = async (request: SecretsRequest, secrets: SecretsResult): Promise<void> => {
    try {
      await offline?.save(ownerOf(request), secrets);
    } catch {
      emit?.({ ...subjectOf(request), type: 'offline_failed', error: 'offline_failed' });
    }
  };

  const read =
    (request: SecretsRequest, key: string, ttlMs = secretsMs) =>
    async (signal: AbortSignal) => {
      const call = cache?.begin() ?? 0;
      try {
        const secrets = await fetchSecrets(transport, request, signal);
        // An existing copy is replaced, even if this call keeps none.
        if (ttlMs > 0 || cache?.get(key) !== undefined) cache?.set(key, secrets, call);
        await keep(request, secrets);
        return secrets;
      } catch (error) {
        if (isRefusal(error)) {
          cache?.delete(key);
          await offline?.drop(ownerOf(request)).catch(() => undefined);
        }
        throw error;
      }
    };

  const copyFor = async (request: SecretsRequest, key: string, error: unknown) => {
    const served = { ...subjectOf(request), type: 'stale_served', error: codeOf(error) } as const;
    const copy = cache?.get(key);
    const age = copy === undefined ? 0 : ageOf(copy, Date.now());
    if (copy !== undefined && age <= maxStaleMs) {
      emit?.({ ...served, origin: 'memory', ageMs: age });
      return copy.value;
    }
    const onDisk = await offline?.load(ownerOf(request));
    if (onDisk !== undefined) emit?.({ ...served, origin: 'offline', ageMs: onDisk.ageMs });
    return onDisk?.secrets;
  };

  const ask = async (request: SecretsRequest, key: string, options: CallOptions): Promise<SecretsResult> => {
    const substituteFor = (error: unknown) =>
      options.fresh === true ? undefined : copyFor(request, key, error);
    const { outage } = transport.breaker;
    const known = outage && (await substituteFor(outage));
    if (known !== undefined) {
      loader.refresh(key, read(request, key), subjectOf(request));
      return known;
    }
    try {
      return await loader.load(key, read(request, key, options.ttlMs), options);
    } catch (error) {
      const copy = isOutage(error) ? await substituteFor(error) : undefined;
      if (copy === undefined) throw error;
      return copy;
    }
  };

  const find = async (which: string | undefined, options: GetSecretOptions): Promise<SecretsResult> => {
    checkOptions(options, NAMES);
    checkCall(options);
    const request = { key: which, tags: options.tags };
    const key = JSON.stringify([request.key, request.tags]);
    const copy = options.fresh === true ? undefined : cache?.get(key);
    const ageMs = copy && ageOf(copy, Date.now());
    if (copy === undefined || ageMs === undefined || ageMs >= (options.ttlMs ?? secretsMs)) {
      return ask(request, key, options);
    }
    emit?.({ ...subjectOf(request), type: 'cache_hit', ageMs });
    return copy.value;
  };

  return {
    get: async (key, options = {}) => {
      // Without a key the service would return every secret.
      if (!isText(key)) throw invalidCall('Pass the key of the secret.');
      const secrets = await find(key, options);
      const value = Object.hasOwn(secrets, key) ? secrets[key] : undefined;
      if (value === undefined) throw invalid('The reply lacks the secret.');
      return value;
    },
    // Each caller gets its own copy: the cached object is shared.
    all: async (options = {}) => hideValues(await find(undefined, options)),
  };
};
