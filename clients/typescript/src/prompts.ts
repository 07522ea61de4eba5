import { ageOf, Cache } from './cache.ts';
import { invalidCall, isOutage, isRefusal } from './errors.ts';
import { freeze, Prompt, type PromptSource, type StoredPrompt, storedPrompt } from './prompt.ts';
import { isText } from './settings.ts';
import type { Transport } from './transport.ts';
import type { PromptRequest } from './wire.ts';

export interface GetPromptOptions {
  /** MAJOR.MINOR.PATCH; the latest when left out. */
  readonly version?: string | undefined;
  /** A moving pointer such as `production`; at most one of `version` and `label`. */
  readonly label?: string | undefined;
  /** Values for the placeholders; when given, `compiledPrompt` is there. */
  readonly variables?: object | undefined;
  /** Fail with MissingVariablesError if a placeholder has no value. */
  readonly strict?: boolean | undefined;
  /** Template to use when the service cannot answer and there is no copy. */
  readonly fallback?: string | undefined;
  /** Stored with this call in the prompt's access history; a call that the cache answers is not in it. */
  readonly metaProperties?: object | undefined;
  /** Ask the service even if there is a copy. */
  readonly fresh?: boolean | undefined;
}

export type CompiledPrompt = Prompt & { readonly compiledPrompt: string };

export interface Prompts {
  /**
   * Fetches a prompt by name, or by `{ promptId }`. A copy answers while it is young; an older one answers once more
   * while it is refreshed in the background; it also answers when the service cannot.
   * Errors: AuthenticationError, PermissionDeniedError, NotFoundError, InvalidRequestError, MissingVariablesError,
   * RateLimitedError, UnavailableError, CuevaultTimeoutError.
   */
  get(
    which: string | { readonly promptId: string },
    options: GetPromptOptions & { readonly variables: object },
  ): Promise<CompiledPrompt>;
  get(which: string | { readonly promptId: string }, options?: GetPromptOptions): Promise<Prompt>;
}

export interface PromptSettings {
  /** Milliseconds that latest and labels stay young. */
  readonly latestMs: number;
  /** No cache at all when undefined. */
  readonly maxEntries: number | undefined;
  readonly waitUntil: ((refresh: Promise<unknown>) => void) | undefined;
}

interface Found {
  readonly stored: StoredPrompt;
  readonly source: PromptSource;
  readonly ageMs: number;
}

const PATH = '/api/prompt/get-compiled';
/** Longest pause after a refresh that failed, in milliseconds. */
const REFRESH_PAUSE_MS = 5_000;

const requestOf = (
  which: string | { readonly promptId: string },
  options: GetPromptOptions,
): PromptRequest => {
  const asked = typeof which === 'string' ? { name: which } : { promptId: which?.promptId };
  if (!Object.values(asked).every(isText)) throw invalidCall('Give the name of the prompt, or { promptId }.');
  return {
    ...asked,
    version: options.version ?? undefined,
    label: options.label ?? undefined,
    metaProperties: options.metaProperties ?? undefined,
  };
};

// With its length in front, no text can look like two others.
const part = (text: string | undefined): string => (text === undefined ? '-' : `${text.length}:${text}`);

// All that decides the answer, given that one client has one address and one API key.
const keyOf = ({ name, promptId, version, label }: PromptRequest): string =>
  part(name) + part(promptId) + part(version) + part(label);

/** The prompts of the service, with the cache in front of them. */
export const createPrompts = ({ post }: Transport, settings: PromptSettings): Prompts => {
  const { latestMs, maxEntries, waitUntil } = settings;
  const cache = maxEntries === undefined ? undefined : new Cache<StoredPrompt>(maxEntries);

  const call = async (request: PromptRequest, key: string): Promise<StoredPrompt> => {
    const number = cache?.begin() ?? 0;
    try {
      const stored = storedPrompt(await post(PATH, request));
      cache?.set(key, stored, number);
      return stored;
    } catch (error) {
      if (isRefusal(error)) cache?.delete(key);
      else cache?.postpone(key, Math.min(latestMs, REFRESH_PAUSE_MS));
      throw error;
    }
  };

  const refresh = (cache: Cache<StoredPrompt>, request: PromptRequest, key: string): void => {
    if (cache.isLoading(key)) return;
    // Whatever goes wrong: the caller has the copy, and the next one meets what `call` made of it.
    const refreshed = cache.load(key, () => call(request, key)).catch(() => undefined);
    waitUntil?.(refreshed);
  };

  const ask = async (request: PromptRequest, key: string, fresh: boolean): Promise<Found> => {
    try {
      const asked = () => call(request, key);
      const stored = await (cache === undefined || fresh ? asked() : cache.load(key, asked));
      return { stored, source: 'service', ageMs: 0 };
    } catch (error) {
      const copy = isOutage(error) ? cache?.get(key) : undefined;
      if (copy === undefined) throw error;
      return { stored: copy.value, source: 'stale', ageMs: ageOf(copy, Date.now()) };
    }
  };

  const find = (request: PromptRequest, fresh: boolean): Found | Promise<Found> => {
    const key = keyOf(request);
    const copy = fresh ? undefined : cache?.get(key);
    if (cache === undefined || copy === undefined) return ask(request, key, fresh);
    const now = Date.now();
    const ageMs = ageOf(copy, now);
    const young = request.version !== undefined || ageMs < latestMs;
    if (young) return { stored: copy.value, source: 'cache', ageMs };
    if (now >= copy.refreshAt) refresh(cache, request, key);
    return { stored: copy.value, source: 'stale', ageMs };
  };

  const fallbackFor = (request: PromptRequest, prompt: string): Found => ({
    stored: freeze({ name: request.name, promptId: request.promptId, tags: [], metaProperties: {}, prompt }),
    source: 'fallback',
    ageMs: 0,
  });

  const get = async (which: string | { readonly promptId: string }, options: GetPromptOptions = {}) => {
    const request = requestOf(which, options);
    const { fallback, variables, strict, fresh = false } = options;
    let found: Found;
    try {
      found = await find(request, fresh);
    } catch (error) {
      if (typeof fallback !== 'string' || !isOutage(error)) throw error;
      found = fallbackFor(request, fallback);
    }
    return new Prompt(found.stored, found.source, found.ageMs, variables, strict);
  };
  return { get: get as Prompts['get'] };
};
