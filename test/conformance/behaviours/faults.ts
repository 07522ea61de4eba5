// How clients handle each fault of the connection.
import type { Behaviour } from '../behaviour.ts';
import type { DriverError } from '../driver.ts';
import type { Fault } from '../fault-proxy.ts';

const GREETING = { op: 'prompts.get', args: { name: 'greeting' } } as const;

const PROMPT = {
  promptId: 'p',
  name: 'greeting',
  version: '1.1.0',
  tags: [],
  metaProperties: {},
  prompt: 'Hi',
};

interface Meaning {
  readonly fault: Fault;
  readonly error: Partial<DriverError>;
  /** Whether a later attempt may succeed. */
  readonly repeated: boolean;
}

const unavailable = (code: string, status: number | null) => ({ type: 'UnavailableError', code, status });
const limited = { type: 'RateLimitedError', code: 'rate_limited', status: 429 };
const foreign = (status: number) => unavailable('invalid_reply', status);

const TIMED_OUT = { type: 'CuevaultTimeoutError', code: 'timeout', status: null };

/** Values of `Retry-After`, and the seconds that they mean: null if they mean none. */
const WAITS: readonly (readonly [string, number | null])[] = [
  ['0', 0],
  ['1.5', 1.5],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ['Wed, 21 Oct 2099 07:28:00', null],
  ['Wed, 21 Oct 2099 07:28:00 +0200', null],
  ...['soon 1', '1e1', '1_0', '-1', 'nan', ''].map((text) => [text, null] as const),
];

const MEANINGS: readonly Meaning[] = [
  { fault: 'reset', error: unavailable('connection_failed', null), repeated: true },
  { fault: 'reset mid-body', error: unavailable('connection_failed', null), repeated: true },
  { fault: "the gateway's own 429", error: limited, repeated: true },
  ...WAITS.map(([text, retryAfter]) => ({
    fault: `429, retry-after: ${text}` as const,
    error: { ...limited, retryAfter },
    repeated: true,
  })),
  {
    fault: '429, try again in more seconds than a number can hold',
    error: { ...limited, retryAfter: null },
    repeated: true,
  },
  { fault: 'HTML 502', error: unavailable('unavailable', 502), repeated: true },
  { fault: '503', error: unavailable('unavailable', 503), repeated: true },
  { fault: "the gateway's own 503", error: unavailable('unavailable', 503), repeated: true },
  { fault: '504', error: unavailable('unavailable', 504), repeated: true },
  { fault: '429, retry-after: 3600', error: { ...limited, retryAfter: 3600 }, repeated: false },
  {
    fault: '429, retry-after: Wed, 21 Oct 2099 07:28:00 GMT',
    error: { ...limited, retryAfter: expect.any(Number) },
    repeated: false,
  },
  { fault: 'slow', error: TIMED_OUT, repeated: false },
  { fault: 'slow body', error: TIMED_OUT, repeated: false },
  { fault: 'dripping body', error: TIMED_OUT, repeated: false },
  { fault: 'dripping headers', error: TIMED_OUT, repeated: false },
  { fault: '500', error: unavailable('internal', 500), repeated: false },
  { fault: "the gateway's own 500", error: unavailable('unavailable', 500), repeated: false },
  { fault: 'truncated JSON', error: foreign(200), repeated: false },
  { fault: 'HTML 200', error: foreign(200), repeated: false },
  { fault: 'HTML 403', error: foreign(403), repeated: false },
  { fault: 'HTML 404', error: foreign(404), repeated: false },
  { fault: 'JSON of another program', error: foreign(200), repeated: false },
  { fault: 'an array', error: foreign(200), repeated: false },
  { fault: 'an error without res', error: foreign(404), repeated: false },
  { fault: 'a result without err', error: foreign(200), repeated: false },
  { fault: 'an error that is no sentence', error: foreign(404), repeated: false },
  { fault: 'an error with status 200', error: foreign(200), repeated: false },
  { fault: 'a hundred thousand brackets', error: foreign(200), repeated: false },
  ...[[], {}, { prompt: 1, version: '1', promptId: 'p', name: 'n', tags: [], metaProperties: {} }].map(
    (res) => ({
      fault: { res },
      error: foreign(200),
      repeated: false,
    }),
  ),
  ...[{ name: 'other' }, { version: '1.1.0 | [x](http://y)' }, { version: '1.1' }].map((field) => ({
    fault: { res: { ...PROMPT, ...field } },
    error: foreign(200),
    repeated: false,
  })),
  { fault: 'a prompt of 9 MB in little gzip', error: foreign(200), repeated: false },
  { fault: 'broken gzip', error: unavailable('invalid_reply', null), repeated: false },
  { fault: 'invalid UTF-8', error: foreign(200), repeated: false },
  { fault: 'half a surrogate pair as UTF-8', error: foreign(200), repeated: false },
  { fault: 'UTF-16', error: foreign(200), repeated: false },
  { fault: 'redirect', error: foreign(302), repeated: false },
  {
    fault: "the gateway's own 413",
    error: { type: 'InvalidRequestError', code: 'body_too_large', status: 413 },
    repeated: false,
  },
  {
    fault: '413 that names no code',
    error: { type: 'InvalidRequestError', code: 'body_too_large', status: 413 },
    repeated: false,
  },
  {
    fault: '401',
    error: {
      type: 'AuthenticationError',
      code: 'unauthenticated',
      status: 401,
      message: expect.stringMatching(
        /^The code unauthenticated was injected\. The key with the id \w{8} was sent to http:\S+\d\.$/,
      ),
      requestId: 'injected-unauthenticated',
    },
    repeated: false,
  },
  { fault: '403', error: { type: 'PermissionDeniedError', code: 'forbidden', status: 403 }, repeated: false },
  { fault: '404', error: { type: 'NotFoundError', code: 'prompt_not_found', status: 404 }, repeated: false },
  {
    fault: '409',
    error: { type: 'InvalidRequestError', code: 'changed_meanwhile', status: 409 },
    repeated: false,
  },
];

const TIMEOUT = 1_000;

// Only behaviours that expect a timeout have a short one: on a busy machine the others would time out too.
const limits = (error: Partial<DriverError>): { readonly timeoutMs?: number } =>
  error === TIMED_OUT ? { timeoutMs: TIMEOUT } : {};

const nameOf = (fault: Fault): string => (typeof fault === 'string' ? fault : JSON.stringify(fault));

const MAPPED = MEANINGS.map(
  ({ fault, error, repeated }): Behaviour => ({
    title: `${nameOf(fault)}: ${error.type} ${error.code}${repeated ? '' : ', and no second attempt'}`,
    client: { ...(repeated ? { maxRetries: 0 } : {}), ...limits(error) },
    always: fault,
    steps: [{ ...GREETING, error }],
    calls: 1,
  }),
);

const REPEATED = MEANINGS.filter(({ repeated }) => repeated).map(
  ({ fault }): Behaviour => ({
    title: `${nameOf(fault)} is repeated`,
    faults: [fault],
    steps: [{ ...GREETING, ok: { version: '1.1.0', source: 'service' } }],
    calls: 2,
  }),
);

// One of each kind: the helpers return an envelope for all of them, and never raise.
const IN_HELPERS = (['reset', 'reset mid-body', 'slow', '503', 'HTML 200', 'truncated JSON'] as const).map(
  (fault): Behaviour => ({
    title: `${fault}: the helpers return an envelope that says what happened`,
    client: { maxRetries: 0, ...(fault === 'slow' ? { timeoutMs: TIMEOUT } : {}) },
    always: fault,
    steps: [
      {
        op: 'getSecrets',
        args: { shouldSetEnv: true },
        ok: { err: expect.stringMatching(/\w+/), res: null },
      },
      { op: 'getPrompt', args: { name: 'greeting' }, ok: { err: expect.stringMatching(/\w+/), res: null } },
    ],
    calls: 2,
  }),
);

const OTHERS: readonly Behaviour[] = [
  {
    title: 'refused: UnavailableError connection_failed, and an envelope from the helpers',
    client: { maxRetries: 1 },
    steps: [
      { service: 'down' },
      {
        ...GREETING,
        error: {
          ...unavailable('connection_failed', null),
          message: expect.stringContaining('(ECONNREFUSED)'),
        },
      },
      { op: 'secrets.all', error: unavailable('connection_failed', null) },
      { op: 'getSecrets', ok: { err: expect.stringMatching(/\w+/), res: null } },
    ],
    calls: 0,
  },
  {
    title: 'the wrong content type of a valid envelope does not matter',
    always: 'wrong content type',
    steps: [
      { ...GREETING, ok: { version: '1.1.0' } },
      { op: 'prompts.get', args: { name: 'nobody' }, error: { code: 'prompt_not_found' } },
    ],
    calls: 2,
  },
  {
    title: 'after the last attempt its error is raised',
    client: { maxRetries: 2 },
    always: '503',
    steps: [{ ...GREETING, error: unavailable('unavailable', 503) }],
    calls: 3,
  },
  {
    title: 'the total time bounds the attempts, however many are allowed',
    client: { maxRetries: 1_000_000, totalTimeoutMs: 2_000 },
    always: '503',
    steps: [{ ...GREETING, error: unavailable('unavailable', 503) }],
  },
  {
    title: 'an attempt cut short by the total time raises the error before it',
    client: { totalTimeoutMs: 2_000 },
    faults: ['429, retry-after: 0', 'slow'],
    steps: [{ ...GREETING, error: limited }],
    calls: 2,
  },
  {
    title: 'a result that is not what was asked for is an invalid reply',
    faults: [{ res: { A: 1 } }, { res: { A: 'v' } }],
    steps: [
      { op: 'secrets.all', error: foreign(200) },
      { op: 'secrets.get', args: { key: 'B' }, error: foreign(200) },
    ],
    calls: 2,
  },
  {
    title: 'secrets with the names of inherited properties are ordinary ones',
    always: { res: JSON.parse('{"__proto__":"__proto__","constructor":"constructor"}') },
    steps: ['__proto__', 'constructor'].map((key) => ({ op: 'secrets.get', args: { key }, equals: key })),
  },
  {
    title: 'a time-out beyond the limit of timers does not fire immediately',
    client: { timeoutMs: 1e13, totalTimeoutMs: 1e13 },
    steps: [{ ...GREETING, ok: { source: 'service' } }],
  },
  {
    title: 'a parser that cannot read a reply does not show what it read',
    client: { maxRetries: 0 },
    faults: ['truncated JSON'],
    steps: [
      {
        op: 'secrets.all',
        error: { code: 'invalid_reply', message: expect.not.stringMatching(/sample|sk-/) },
      },
    ],
  },
];

export const FAULTS: readonly Behaviour[] = [...MAPPED, ...REPEATED, ...IN_HELPERS, ...OTHERS];
