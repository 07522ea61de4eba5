// How clients handle each fault of the connection.
import { type Behaviour, GREETING, greeting } from '../behaviour.ts';
import type { DriverError } from '../driver.ts';
import type { Fault } from '../fault-proxy.ts';

const PROMPT = {
  promptId: 'p',
  name: 'greeting',
  version: '1.1.0',
  tags: [],
  metaProperties: {},
  prompt: 'Hi',
};

type Meaning = readonly [Fault, Partial<DriverError>];

const all = (error: Partial<DriverError>, ...faults: readonly Fault[]): readonly Meaning[] =>
  faults.map((fault) => [fault, error]);

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

/** After these a later attempt may succeed. */
const PASSING: readonly Meaning[] = [
  ...all(unavailable('connection_failed', null), 'reset', 'reset mid-body'),
  ...all(limited, "the gateway's own 429"),
  ...WAITS.map(([text, retryAfter]): Meaning => [`429, retry-after: ${text}`, { ...limited, retryAfter }]),
  ...all({ ...limited, retryAfter: null }, '429, try again in more seconds than a number can hold'),
  ...all(unavailable('unavailable', 502), 'HTML 502'),
  ...all(unavailable('unavailable', 503), '503'),
  ...all(unavailable('unavailable', 504), '504'),
];

const TOO_LARGE = { type: 'InvalidRequestError', code: 'body_too_large', status: 413 };
const UNAUTHENTICATED = {
  type: 'AuthenticationError',
  code: 'unauthenticated',
  status: 401,
  message: expect.stringMatching(
    /^The code unauthenticated was injected\. The key with the id \w{8} was sent to http:\S+\d\.$/,
  ),
  requestId: 'injected-unauthenticated',
};
const NO_PROMPTS = [
  [],
  {},
  { prompt: 1, version: '1', promptId: 'p', name: 'n', tags: [], metaProperties: {} },
  ...[{ name: 'other' }, { version: '1.1.0 | [x](http://y)' }, { version: '1.1' }].map((field) => ({
    ...PROMPT,
    ...field,
  })),
];

/** After these it cannot, or not within the time of the call. */
const FINAL: readonly Meaning[] = [
  ...all({ ...limited, retryAfter: 3600 }, '429, retry-after: 3600'),
  ...all({ ...limited, retryAfter: expect.any(Number) }, '429, retry-after: Wed, 21 Oct 2099 07:28:00 GMT'),
  ...all(TIMED_OUT, 'slow', 'slow body', 'dripping body', 'dripping headers'),
  ...all(unavailable('internal', 500), '500'),
  ...all(unavailable('unavailable', 500), "the gateway's own 500"),
  ...all(foreign(200), 'truncated JSON', 'HTML 200', 'an array'),
  ...all(foreign(200), 'a result without err', 'an error with status 200', 'a hundred thousand brackets'),
  ...all(foreign(200), 'a prompt of 9 MB in little gzip', 'invalid UTF-8'),
  ...all(foreign(200), 'half a surrogate pair as UTF-8', ...NO_PROMPTS.map((res) => ({ res }))),
  ...all(unavailable('invalid_reply', null), 'broken gzip'),
  ...all(foreign(302), 'redirect'),
  ...all(foreign(403), 'HTML 403'),
  ...all(foreign(404), 'an error without res', 'an error that is no sentence'),
  ...all(TOO_LARGE, "the gateway's own 413", '413 that names no code'),
  ...all(UNAUTHENTICATED, '401'),
  ...all({ type: 'PermissionDeniedError', code: 'forbidden', status: 403 }, '403'),
  ...all({ type: 'NotFoundError', code: 'prompt_not_found', status: 404 }, '404'),
  ...all({ type: 'InvalidRequestError', code: 'changed_meanwhile', status: 409 }, '409'),
];

const TIMEOUT = 1_000;

// Only behaviours that expect a timeout have a short one: on a busy machine the others would time out too.
const limits = (error: Partial<DriverError>): { readonly timeoutMs?: number } =>
  error === TIMED_OUT ? { timeoutMs: TIMEOUT } : {};

const nameOf = (fault: Fault): string => (typeof fault === 'string' ? fault : JSON.stringify(fault));

const MAPPED = FINAL.map(
  ([fault, error]): Behaviour => ({
    title: `${nameOf(fault)}: ${error.type} ${error.code}, and no second attempt`,
    client: limits(error),
    always: fault,
    steps: [{ ...GREETING, error }],
    calls: 1,
  }),
);

const REPEATED = PASSING.map(
  ([fault, error]): Behaviour => ({
    title: `${nameOf(fault)}: ${error.type} ${error.code}, and a second attempt`,
    client: { pauseMs: 0, ...limits(error) },
    faults: [fault, fault],
    steps: [
      { ...greeting({ maxRetries: 0 }), error },
      { ...GREETING, ok: { version: '1.1.0', source: 'service' } },
    ],
    calls: 3,
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

export const FAULTS: readonly Behaviour[] = [...MAPPED, ...REPEATED, ...OTHERS];
