import { ageOf, Cache } from './cache.ts';
import { invalidCall, isOutage, isRefusal, UnavailableError } from './errors.ts';
import { isText } from './settings.ts';
import type { Transport } from './transport.ts';
import type { SecretsRequest, SecretsResult } from './wire.ts';

/** Keeps secrets for the time when the service cannot answer; `cuevault/offline` has one on disk. */
export interface OfflineCopy {
  save(owner: OfflineOwner, secrets: SecretsResult): Promise<void>;
  /** Undefined if there is none that can be read and is young enough. */
  load(owner: OfflineOwner): Promise<{ readonly secrets: SecretsResult; readonly ageMs: number } | undefined>;
  drop(owner: OfflineOwner): Promise<void>;
}

/** Whose copy: secrets of this service, read with this API key, by this filter. */
export interface OfflineOwner extends SecretsRequest {
  readonly url: string;
  readonly apiKey: string;
}

/** What the client would log if it logged. */
export interface Warning {
  /** `stale`: a copy in memory answered; `offline`: the offline copy did; `offline_failed`: it could not be written. */
  readonly kind: 'stale' | 'offline' | 'offline_failed';
  readonly message: string;
  /** Milliseconds since the service returned what was served. */
  readonly ageMs?: number;
  readonly error: unknown;
}

export interface Secrets {
  /**
   * The value of one secret; with `tags` only if it carries every one of them.
   * Errors: those of `all`, NotFoundError, InvalidRequestError (no key, nothing was sent).
   */
  get(key: string, options?: { readonly tags?: readonly string[] | undefined }): Promise<string>;
  /**
   * All secrets, or those that carry every one of `tags`, by key.
   * Errors: AuthenticationError, PermissionDeniedError, InvalidRequestError, RateLimitedError, UnavailableError,
   * CuevaultTimeoutError.
   */
  all(options?: { readonly tags?: readonly string[] | undefined }): Promise<Record<string, string>>;
}

export interface SecretSettings {
  /** Milliseconds that secrets are kept; 0 for not at all. */
  readonly secretsMs: number;
  /** No cache and no shared calls when undefined. */
  readonly maxEntries: number | undefined;
  readonly offline: OfflineCopy | undefined;
  readonly onWarning: ((warning: Warning) => void) | undefined;
}

const PATH = '/api/vault/get-secrets';

const invalid = (message: string) => new UnavailableError(message, { code: 'invalid_reply', status: 200 });

/** Asks the service for secrets. Errors: those of the transport, and `invalid_reply`. */
export const fetchSecrets = async ({ post }: Transport, request: SecretsRequest): Promise<SecretsResult> => {
  const res = await post(PATH, request);
  if (!Object.values(res).every((value) => typeof value === 'string')) {
    throw invalid('The reply holds something other than secrets.');
  }
  return res as SecretsResult;
};

/** The secrets of the service; no copy is kept unless asked for. */
export const createSecrets = (transport: Transport, settings: SecretSettings): Secrets => {
  const { secretsMs, maxEntries, offline, onWarning } = settings;
  const cache = maxEntries === undefined ? undefined : new Cache<SecretsResult>(maxEntries);

  const ownerOf = (request: SecretsRequest): OfflineOwner => ({
    url: transport.url,
    apiKey: transport.apiKey,
    ...request,
  });

  const keep = async (request: SecretsRequest, secrets: SecretsResult): Promise<void> => {
    try {
      await offline?.save(ownerOf(request), secrets);
    } catch (error) {
      onWarning?.({ kind: 'offline_failed', message: 'The offline copy could not be written.', error });
    }
  };

  const call = async (request: SecretsRequest, key: string): Promise<SecretsResult> => {
    const number = cache?.begin() ?? 0;
    try {
      const secrets = await fetchSecrets(transport, request);
      if (secretsMs > 0) cache?.set(key, secrets, number);
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

  const copyFor = async (request: SecretsRequest, key: string, error: unknown): Promise<SecretsResult> => {
    const inMemory = cache?.get(key);
    if (inMemory !== undefined) {
      const message = 'Cuevault cannot answer; secrets that were read earlier are used.';
      onWarning?.({ kind: 'stale', message, ageMs: ageOf(inMemory, Date.now()), error });
      return inMemory.value;
    }
    const onDisk = await offline?.load(ownerOf(request));
    if (onDisk === undefined) throw error;
    const message = 'Cuevault cannot answer; the offline copy of the secrets is used.';
    onWarning?.({ kind: 'offline', message, ageMs: onDisk.ageMs, error });
    return onDisk.secrets;
  };

  const read = async (request: SecretsRequest): Promise<SecretsResult> => {
    const key = JSON.stringify([request.key, request.tags]);
    const copy = cache?.get(key);
    if (copy !== undefined && ageOf(copy, Date.now()) < secretsMs) return copy.value;
    try {
      const asked = () => call(request, key);
      return await (cache === undefined ? asked() : cache.load(key, asked));
    } catch (error) {
      if (!isOutage(error)) throw error;
      return copyFor(request, key, error);
    }
  };

  return {
    get: async (key, { tags } = {}) => {
      // Without a key the service would return every secret.
      if (!isText(key)) throw invalidCall('Give the key of the secret.');
      const secrets = await read({ key, tags: tags ?? undefined });
      const value = Object.hasOwn(secrets, key) ? secrets[key] : undefined;
      if (value === undefined) throw invalid('The reply lacks the secret that was asked for.');
      return value;
    },
    // A copy of its own for every caller: they share what the cache holds.
    all: async ({ tags } = {}) => ({ ...(await read({ tags: tags ?? undefined })) }),
  };
};
