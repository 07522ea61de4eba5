import { ageOf, type Copy } from '../cache/cache.ts';
import { type CallMode, type CallOptions, Loader, type LoaderSettings, type Query } from '../cache/loader.ts';
import { NotFoundError } from '../errors.ts';
import { codeOf, type Subject } from '../events.ts';
import type { Transport } from '../http/transport.ts';
import { invalidCall } from '../refusals.ts';
import { CALL, checkCall, checkOptions, isText, labelVariable, type Names } from '../settings.ts';
import type { PromptMessage, PromptRequest } from '../wire.ts';
import { checkAsked, type Found, fallbackPrompt, Prompt, type StoredPrompt, storedPrompt } from './prompt.ts';
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
   * Fetches a prompt by name, or by `{ promptId }`. A recent copy answers without a call; one up to three times as old
   * answers at once while it is refreshed in the background, except in a Lambda function. Older ones answer only when the
   * service cannot, or takes longer than `refreshWaitMs`; then the fallback.
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

const requestOf = (
  which: string | ById,
  { version, label, metaProperties }: GetPromptOptions,
  defaultLabel: string | undefined,
): PromptRequest => {
  const asked = typeof which === 'string' ? { name: which } : { promptId: which?.promptId };
  if (!Object.values(asked).every(isText)) throw invalidCall('Pass the name of the prompt, or { promptId }.');
  if (typeof which === 'object') checkOptions(which, ID_NAMES);
  return {
    ...asked,
    version: version === LATEST && label === undefined ? undefined : version,
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

/** The prompts of the service, with the cache in front of them. */
export const createPrompts = (transport: Transport, settings: PromptSettings): Prompts => {
  const { maxStaleMs, strict: defaultStrict, emit } = settings;
  const loader = new Loader<StoredPrompt>(transport, settings);

  const queryFor = (request: PromptRequest): Query<StoredPrompt> => {
    const subject = subjectOf(request);
    const start = async (signal: AbortSignal, { isForCaller, ...how }: CallMode) => {
      const body = isForCaller ? request : { ...request, metaProperties: undefined };
      const res = await transport.send({ path: PATH, body, subject, signal, ...how });
      const stored = storedPrompt(res);
      checkAsked(res, request);
      return stored;
    };
    return { key: keyOf(request), subject, start, isKept: true, isFixed: request.version !== undefined };
  };

  /** The prompt that answers in place of the service, and its event. */
  const served = (request: PromptRequest, found: Found, error?: string): Found => {
    if (emit === undefined) return found;
    const { ageMs, source } = found;
    const about = { ...subjectOf(request), ageMs, version: found.stored.fields.version };
    if (source === 'cache') emit({ ...about, type: 'cache_hit' });
    else emit({ ...about, type: 'stale_served', origin: 'memory', error });
    return found;
  };

  /** What answers in place of the service. */
  const substituteFor = (request: PromptRequest, fallback: Fallback, error: unknown): Found | undefined => {
    const code = codeOf(error);
    const copy = loader.cache.get(keyOf(request));
    const ageMs = ageOf(copy);
    if (copy !== undefined && (request.version !== undefined || ageMs <= maxStaleMs)) {
      return served(request, { stored: copy.value, source: 'stale', ageMs }, code);
    }
    if (fallback === undefined) return undefined;
    emit?.({ ...subjectOf(request), type: 'fallback_served', error: code });
    return { stored: fallbackPrompt(request, fallback), source: 'fallback', ageMs: 0 };
  };

  const find = (request: PromptRequest, options: GetPromptOptions): Found | Promise<Found> => {
    const copy = options.fresh === true ? undefined : loader.cache.get(keyOf(request));
    if (copy === undefined) return ask(request, options);
    const freshness = request.version === undefined ? loader.freshnessOf(copy, options.ttlMs) : 'recent';
    const ageMs = ageOf(copy);
    if (freshness === 'recent') return served(request, { stored: copy.value, source: 'cache', ageMs });
    if (ageMs > maxStaleMs) return ask(request, options);
    if (freshness === 'old') return renewed(request, options, copy);
    loader.refresh(queryFor(request));
    return served(request, { stored: copy.value, source: 'stale', ageMs });
  };

  const ask = (request: PromptRequest, options: GetPromptOptions): Promise<Found> =>
    loader.ask(
      queryFor(request),
      options,
      (stored) => ({ stored, source: 'service', ageMs: 0 }),
      (error) => substituteFor(request, options.fallback, error),
    );

  const renewed = async (
    request: PromptRequest,
    options: GetPromptOptions,
    copy: Copy<StoredPrompt>,
  ): Promise<Found> => {
    const stored = await loader.renew(queryFor(request), options);
    if (stored !== undefined) return { stored, source: 'service', ageMs: 0 };
    return served(request, { stored: copy.value, source: 'stale', ageMs: ageOf(copy) });
  };

  const found = async (request: PromptRequest, options: GetPromptOptions): Promise<Found> => {
    try {
      return await find(request, options);
    } catch (error) {
      const isOwn = options.label === undefined && settings.label === undefined;
      if (!isOwn || !(error instanceof NotFoundError) || error.code !== 'label_not_found') throw error;
      const hint = 'The label comes from CUEVAULT_LABEL or, without it, CUEVAULT_ENVIRONMENT.';
      throw new NotFoundError(`${error.message} ${hint}`, error);
    }
  };

  let { label } = settings;
  const get = async (which: string | ById, options: GetPromptOptions = {}) => {
    checkOptions(options, NAMES);
    checkCall(options);
    label ??= labelVariable() ?? '';
    const request = requestOf(which, options, label || undefined);
    const prompt = await found(request, options);
    return new Prompt(prompt, options, defaultStrict);
  };
  return { get: get as Prompts['get'] };
};
