import { ageOf, type Copy } from '../cache/cache.ts';
import { type CallOptions, Loader, type LoaderSettings } from '../cache/loader.ts';
import { invalidCall, isOutage, isRefusal } from '../errors.ts';
import { codeOf, type Subject } from '../events.ts';
import type { Transport } from '../http/transport.ts';
import { CALL, checkOptions, type Names } from '../options.ts';
import { environmentVariable } from '../platform.ts';
import { checkCall, isText } from '../settings.ts';
import type { PromptMessage, PromptRequest } from '../wire.ts';
import { type Found, fallbackPrompt, Prompt, type StoredPrompt, storedPrompt } from './prompt.ts';
import { entryFor, type Snapshot } from './snapshot.ts';
import type { Strict } from './templates.ts';
import type { LabelOf, PlaceholdersOf, PromptName, VariablesOf } from './types.ts';

export interface GetPromptOptions<Name extends string = string> extends CallOptions {
  /** MAJOR.MINOR.PATCH, or `latest`. @default what `label` says */
  readonly version?: string | undefined;
  /** A moving pointer such as `production`; at most one of `version` and `label`. @default the client's, else the latest */
  readonly label?: LabelOf<Name> | undefined;
  /** Values for the placeholders; with them, `compiledPrompt` is set. */
  readonly variables?: VariablesOf<Name> | undefined;
  /** Lists of messages for the placeholders of a chat; they are inserted as they are, and never compiled. */
  readonly placeholders?: PlaceholdersOf<Name> | undefined;
  /** Fail if a placeholder has no value or a value does not fit its declaration; with `'exact'` also if a value has no placeholder. @default the client's */
  readonly strict?: Strict | undefined;
  /** Template, or messages of a chat, to use when nothing else can answer. */
  readonly fallback?: string | readonly PromptMessage[] | undefined;
  /** Stored with this call in the prompt's access history; a call that the cache answers is not in it. */
  readonly metaProperties?: object | undefined;
}

export type CompiledPrompt = Prompt & { readonly compiledPrompt: string };

type Compiled<Name extends string = string> =
  | { readonly variables: VariablesOf<Name> }
  | { readonly placeholders: PlaceholdersOf<Name> }
  | { readonly strict: true | 'exact' };

interface ById {
  readonly promptId: string;
}

export interface Prompts {
  /**
   * Fetches a prompt by name, or by `{ promptId }`. A recent copy answers without a call; an old one answers at once
   * while it is refreshed in the background. When the service cannot answer: an old copy, the snapshot, the fallback.
   * Errors: AuthenticationError, PermissionDeniedError, NotFoundError, InvalidRequestError, MissingVariablesError,
   * RateLimitedError, UnavailableError, CuevaultTimeoutError; the reason of `signal`.
   */
  get(which: ById, options: GetPromptOptions & Compiled): Promise<CompiledPrompt>;
  get(which: ById, options?: GetPromptOptions): Promise<Prompt>;
  get<Name extends PromptName>(
    which: Name | ById,
    options: GetPromptOptions<Name> & Compiled<Name>,
  ): Promise<CompiledPrompt>;
  get<Name extends PromptName>(which: Name | ById, options?: GetPromptOptions<Name>): Promise<Prompt>;
}

export interface PromptSettings extends LoaderSettings {
  /** Milliseconds for which a copy of the latest version or of a label is recent. */
  readonly latestMs: number;
  /** Maximum age of a served copy of them in milliseconds. */
  readonly maxStaleMs: number;
  readonly snapshot: Snapshot | undefined;
  readonly strict: Strict | undefined;
  readonly label: string | undefined;
}

const NAMES: Names<GetPromptOptions> = {
  ...CALL,
  version: true,
  label: true,
  variables: true,
  placeholders: true,
  strict: true,
  fallback: true,
  metaProperties: true,
};
const ID_NAMES: Names<ById> = { promptId: true };

type Fallback = GetPromptOptions['fallback'];

/** A `version` that replaces the client's label. */
const LATEST = 'latest';
const PATH = '/api/prompt/get-compiled';
/** Longest pause after a refresh that failed. */
const REFRESH_PAUSE_MS = 5_000;

const requestOf = (
  which: string | ById,
  { version, label, metaProperties }: GetPromptOptions,
  defaultLabel: string | undefined,
): PromptRequest => {
  const asked = typeof which === 'string' ? { name: which } : { promptId: which?.promptId };
  if (!Object.values(asked).every(isText)) throw invalidCall('Pass the name of the prompt, or { promptId }.');
  if (typeof which === 'object') checkOptions(which, ID_NAMES);
  if (version === LATEST && label === undefined) return { ...asked, metaProperties };
  return {
    ...asked,
    version,
    label: version === undefined ? (label ?? defaultLabel) : label,
    metaProperties,
  };
};

const subjectOf = ({ name, promptId }: PromptRequest): Subject => ({
  operation: 'prompt',
  name: name ?? promptId,
});

// With its length in front, no text can be mistaken for two others.
const part = (text: string | undefined): string => (text === undefined ? '-' : `${text.length}:${text}`);

// Everything that the answer depends on, given that one client has one address and one API key.
const keyOf = ({ name, promptId, version, label }: PromptRequest): string =>
  part(name) + part(promptId) + part(version) + part(label);

const found = (copy: Copy<StoredPrompt>, source: 'cache' | 'stale', now = Date.now()): Found => ({
  stored: copy.value,
  source,
  ageMs: ageOf(copy, now),
});

/** The prompts of the service, with the cache in front of them. */
export const createPrompts = (transport: Transport, settings: PromptSettings): Prompts => {
  const { latestMs, maxStaleMs, snapshot, strict: defaultStrict, emit } = settings;
  const loader = new Loader<StoredPrompt>(transport, settings);
  const { cache } = loader;

  const fetchPrompt = (request: PromptRequest, key: string) => async (signal: AbortSignal) => {
    const call = cache?.begin() ?? 0;
    try {
      const body = { path: PATH, body: request, subject: subjectOf(request), signal };
      const stored = storedPrompt(await transport.post(body));
      cache?.set(key, stored, call);
      return stored;
    } catch (error) {
      if (isRefusal(error)) cache?.delete(key);
      else cache?.postpone(key, Math.min(latestMs, REFRESH_PAUSE_MS));
      throw error;
    }
  };

  const refresh = (request: PromptRequest, key: string): void =>
    loader.refresh(key, fetchPrompt(request, key), subjectOf(request));

  const fromSnapshot = (request: PromptRequest): Found | undefined => {
    const entry = snapshot && entryFor(snapshot, request);
    if (snapshot === undefined || entry === undefined) return undefined;
    const ageMs = Math.max(0, Date.now() - snapshot.savedAt);
    return { stored: storedPrompt(entry), source: 'snapshot', ageMs };
  };

  /** What answers in place of the service. */
  const substituteFor = (request: PromptRequest, fallback: Fallback, error: unknown): Found | undefined => {
    const subject = subjectOf(request);
    const code = codeOf(error);
    const copy = cache?.get(keyOf(request));
    const known = copy && found(copy, 'stale');
    const isUsable = known && (request.version !== undefined || known.ageMs <= maxStaleMs);
    const old = isUsable ? known : fromSnapshot(request);
    if (old !== undefined) {
      const { ageMs, stored, source } = old;
      const origin = source === 'snapshot' ? source : 'memory';
      emit?.({
        ...subject,
        type: 'stale_served',
        origin,
        ageMs,
        version: stored.fields.version,
        error: code,
      });
      return old;
    }
    if (fallback === undefined) return undefined;
    emit?.({ ...subject, type: 'fallback_served', error: code });
    return { stored: fallbackPrompt(request, fallback), source: 'fallback', ageMs: 0 };
  };

  const ask = async (request: PromptRequest, options: GetPromptOptions): Promise<Found> => {
    const key = keyOf(request);
    const { outage } = transport.breaker;
    if (outage !== undefined) {
      const substitute = substituteFor(request, options.fallback, outage);
      if (substitute !== undefined) {
        refresh(request, key);
        return substitute;
      }
    }
    try {
      const stored = await loader.load(key, fetchPrompt(request, key), options);
      return { stored, source: 'service', ageMs: 0 };
    } catch (error) {
      const substitute = isOutage(error) ? substituteFor(request, options.fallback, error) : undefined;
      if (substitute === undefined) throw error;
      return substitute;
    }
  };

  const find = (request: PromptRequest, options: GetPromptOptions): Found | Promise<Found> => {
    const copy = options.fresh === true ? undefined : cache?.get(keyOf(request));
    if (copy === undefined) return ask(request, options);
    const now = Date.now();
    const ageMs = ageOf(copy, now);
    const { version } = copy.value.fields;
    if (request.version !== undefined || ageMs < (options.ttlMs ?? latestMs)) {
      emit?.({ ...subjectOf(request), type: 'cache_hit', ageMs, version });
      return found(copy, 'cache', now);
    }
    if (ageMs > maxStaleMs) return ask(request, options);
    if (now >= copy.refreshAt) refresh(request, keyOf(request));
    emit?.({ ...subjectOf(request), type: 'stale_served', origin: 'memory', ageMs, version });
    return found(copy, 'stale', now);
  };

  let { label } = settings;
  const defaultLabel = () => {
    label ??= environmentVariable('CUEVAULT_LABEL') ?? '';
    return label || undefined;
  };

  const get = async (which: string | ById, options: GetPromptOptions = {}) => {
    checkOptions(options, NAMES);
    checkCall(options);
    const prompt = await find(requestOf(which, options, defaultLabel()), options);
    return new Prompt(prompt, options, defaultStrict);
  };
  return { get: get as Prompts['get'] };
};
