// An in-memory service for tests of applications: the real client with a fetch that is answered here.
import {
  Cuevault,
  type CuevaultOptions,
  CuevaultTimeoutError,
  type Fetch,
  InvalidRequestError,
  type JsonObject,
  type PromptMessage,
  type PromptResult,
} from './index.ts';
import { Prompt, storedPrompt } from './prompts/prompt.ts';
import { byVersion } from './wire.ts';

/** The content of a version: a template, the messages of a chat, or the fields of either. */
export type FakeVersion =
  | string
  | readonly PromptMessage[]
  | Partial<
      Pick<
        PromptResult,
        'prompt' | 'messages' | 'variables' | 'model' | 'config' | 'output' | 'tools' | 'includes'
      >
    >;

/** A prompt with several versions; the highest one is the latest. */
export interface FakePrompt {
  /** Content of each version, by MAJOR.MINOR.PATCH. */
  readonly versions: { readonly [version: string]: FakeVersion };
  /** Version of each label. */
  readonly labels?: { readonly [label: string]: string };
  readonly tags?: readonly string[];
  readonly metaProperties?: JsonObject;
}

export interface FakeSecret {
  readonly value: string;
  readonly tags?: readonly string[];
}

/**
 * What the service has. A prompt given as a template or as messages is version 1.0.0, with every label. Changes take
 * effect immediately.
 */
export interface FakeContent {
  prompts?: Record<string, string | readonly PromptMessage[] | FakePrompt>;
  secrets?: Record<string, string | FakeSecret>;
}

/** How calls fail: 503, 429, no reply, no connection, 401. */
export type Failure = 'unavailable' | 'rate_limited' | 'timeout' | 'connection' | 'unauthenticated';

export interface FakeCall {
  readonly operation: 'prompt' | 'secrets';
  readonly body: JsonObject;
  /** Status of the reply, undefined if there was none. */
  readonly status: number | undefined;
}

export interface FakeCuevault {
  /** A new client of this service, without retries and pauses after failures, unless its options say otherwise. */
  readonly client: (options?: CuevaultOptions) => Cuevault;
  /** For a custom client: `new Cuevault({ url, apiKey, fetch: fake.fetch })`. */
  readonly fetch: Fetch;
  /** Every request so far. */
  readonly calls: readonly FakeCall[];
  /** Every request fails, until `recover`. @default kind 'unavailable' */
  readonly outage: (kind?: Failure) => void;
  readonly recover: () => void;
  /** The next requests fail. @default one, with kind 'unavailable' */
  readonly failNext: (count?: number, kind?: Failure) => void;
}

interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly err?: string;
  readonly res?: object;
}

const PROMPT_PATH = '/api/prompt/get-compiled';

const failure = (status: number, code: string, err: string): Answer => ({ status, code, err });

const OUTAGES: { readonly [kind in Exclude<Failure, 'timeout' | 'connection'>]: Answer } = {
  unavailable: failure(503, 'unavailable', 'The service is not available.'),
  rate_limited: failure(429, 'rate_limited', 'There were too many requests.'),
  unauthenticated: failure(401, 'unauthenticated', 'The API key is not valid.'),
};

const isPrompt = (stored: string | readonly PromptMessage[] | FakePrompt): stored is FakePrompt =>
  typeof stored === 'object' && 'versions' in stored;

const contentOf = (version: FakeVersion) => {
  if (typeof version === 'string') return { prompt: version };
  const fields = 'length' in version ? { messages: version } : version;
  const { messages } = fields;
  return messages === undefined ? fields : { ...fields, type: 'chat', prompt: JSON.stringify(messages) };
};

/** What the service adds to a prompt that it compiles. */
const compiledFields = (res: JsonObject, { shouldCompile, variables, strict }: JsonObject): JsonObject => {
  if (shouldCompile !== true) return {};
  const prompt = new Prompt({ stored: storedPrompt(res), source: 'service', ageMs: 0 }, {});
  const compiledPrompt = prompt.compile((variables ?? {}) as JsonObject, { strict: strict === true });
  return { compiledPrompt, compiledMessages: prompt.messages && JSON.parse(compiledPrompt) };
};

const promptFor = ({ prompts = {} }: FakeContent, body: JsonObject): Answer => {
  const { promptId, version, label } = body;
  const name = String(body.name ?? String(promptId).replace(/^prm_/, ''));
  const stored = Object.hasOwn(prompts, name) ? prompts[name] : undefined;
  if (stored === undefined) return failure(404, 'prompt_not_found', `There is no prompt ${name}.`);
  const {
    versions,
    labels = {},
    tags = [],
    metaProperties = {},
  } = isPrompt(stored) ? stored : { versions: { '1.0.0': stored } };
  const pointer = isPrompt(stored) ? labels[String(label)] : '1.0.0';
  const asked = label === undefined ? version : pointer;
  if (label !== undefined && asked === undefined) {
    return failure(404, 'label_not_found', `The prompt ${name} has no label ${label}.`);
  }
  const found = String(asked ?? Object.keys(versions).sort(byVersion).at(-1));
  const content = versions[found];
  if (content === undefined) {
    return failure(404, 'version_not_found', `The prompt ${name} has no version ${found}.`);
  }
  const res = { promptId: `prm_${name}`, name, version: found, tags, metaProperties, ...contentOf(content) };
  try {
    return { status: 200, res: { ...res, ...compiledFields(res, body) } };
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return failure(400, error.code, error.message);
  }
};

const secretsFor = ({ secrets = {} }: FakeContent, { key, tags = [] }: JsonObject): Answer => {
  const wanted = tags as readonly string[];
  const matching = Object.entries(secrets).flatMap(([name, stored]) => {
    const secret: FakeSecret = typeof stored === 'string' ? { value: stored } : stored;
    const fits = (key ?? name) === name && wanted.every((tag) => secret.tags?.includes(tag));
    return fits ? [[name, secret.value]] : [];
  });
  if (key !== undefined && matching.length === 0) {
    return failure(404, 'secret_not_found', `There is no secret ${key}.`);
  }
  return { status: 200, res: Object.fromEntries(matching) };
};

const replyOf = ({ status, code, err, res }: Answer): Response =>
  new Response(JSON.stringify({ err: err ?? null, res: res ?? null }), {
    status,
    headers: code === undefined ? {} : { 'cuevault-error': code },
  });

/** A service in memory with this content. */
export const fakeCuevault = (content: FakeContent = {}): FakeCuevault => {
  const calls: FakeCall[] = [];
  let next: Failure[] = [];
  let lasting: Failure | undefined;

  const fetch: Fetch = async (url, { body: text }) => {
    const operation = url.endsWith(PROMPT_PATH) ? 'prompt' : 'secrets';
    const body = JSON.parse(text ?? '{}') as JsonObject;
    const outage = next.shift() ?? lasting;
    if (outage === 'timeout' || outage === 'connection') {
      calls.push({ operation, body, status: undefined });
      if (outage === 'timeout')
        throw new CuevaultTimeoutError('Cuevault did not answer in time.', { code: 'timeout' });
      throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    }
    const answers = operation === 'prompt' ? promptFor : secretsFor;
    const answer = outage === undefined ? answers(content, body) : OUTAGES[outage];
    calls.push({ operation, body, status: answer.status });
    return replyOf(answer);
  };

  const connection = { url: 'http://localhost', apiKey: 'cue_fake', maxRetries: 0, pauseMs: 0, fetch };
  return {
    client: (options) => new Cuevault({ ...connection, ...options }),
    fetch,
    calls,
    outage: (kind = 'unavailable') => {
      lasting = kind;
    },
    recover: () => {
      lasting = undefined;
      next = [];
    },
    failNext: (count = 1, kind = 'unavailable') => {
      next.push(...Array<Failure>(count).fill(kind));
    },
  };
};
