// How clients handle each fault of the connection.
import type { Behaviour } from '../behaviour.ts';
import type { DriverError } from '../driver.ts';
import type { Fault } from '../fault-proxy.ts';

const GREETING = { op: 'prompts.get', args: { name: 'greeting' } } as const;

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

const MEANINGS: readonly Meaning[] = [
  { fault: 'reset', error: unavailable('connection_failed', null), repeated: true },
  { fault: 'reset mid-body', error: unavailable('connection_failed', null), repeated: true },
  { fault: "the gateway's own 429", error: limited, repeated: true },
  { fault: '429, try again at once', error: { ...limited, retryAfter: 0 }, repeated: true },
  { fault: '429, try again in 1.5 s', error: { ...limited, retryAfter: 1.5 }, repeated: true },
  { fault: '429, try again at a time long past', error: { ...limited, retryAfter: 0 }, repeated: true },
  ...(
    [
      '429, try again at an unreadable time',
      '429, try again in 1e1 s',
      '429, try again in more seconds than a number can hold',
      '429, try again at a date without GMT',
    ] as const
  ).map((fault) => ({ fault, error: { ...limited, retryAfter: null }, repeated: true })),
  { fault: 'HTML 502', error: unavailable('unavailable', 502), repeated: true },
  { fault: '503', error: unavailable('unavailable', 503), repeated: true },
  { fault: "the gateway's own 503", error: unavailable('unavailable', 503), repeated: true },
  { fault: '504', error: unavailable('unavailable', 504), repeated: true },
  { fault: '429, try again in an hour', error: { ...limited, retryAfter: 3600 }, repeated: false },
  { fault: 'slow', error: TIMED_OUT, repeated: false },
  { fault: 'slow body', error: TIMED_OUT, repeated: false },
  { fault: 'dripping body', error: TIMED_OUT, repeated: false },
  { fault: 'dripping headers', error: TIMED_OUT, repeated: false },
  { fault: '500', error: unavailable('internal', 500), repeated: false },
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
    error: { type: 'AuthenticationError', code: 'unauthenticated', status: 401 },
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

const MAPPED = MEANINGS.map(
  ({ fault, error }): Behaviour => ({
    title: `${fault}: ${error.type} ${error.code}`,
    client: { retries: 0, ...limits(error) },
    always: fault,
    steps: [{ ...GREETING, error }],
    calls: 1,
  }),
);

const REPEATED = MEANINGS.map(
  ({ fault, error, repeated }): Behaviour => ({
    title: `${fault} is ${repeated ? '' : 'not '}repeated`,
    client: limits(error),
    faults: [fault],
    steps: [repeated ? { ...GREETING, ok: { version: '1.1.0', source: 'service' } } : { ...GREETING, error }],
    calls: repeated ? 2 : 1,
  }),
);

// One of each kind: the helpers return an envelope for all of them, and never raise.
const IN_HELPERS = (['reset', 'reset mid-body', 'slow', '503', 'HTML 200', 'truncated JSON'] as const).map(
  (fault): Behaviour => ({
    title: `${fault}: the helpers return an envelope that says what happened`,
    client: { retries: 0, ...(fault === 'slow' ? { timeoutMs: TIMEOUT } : {}) },
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
    client: { retries: 1 },
    steps: [
      { service: 'down' },
      { ...GREETING, error: unavailable('connection_failed', null) },
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
    client: { retries: 2 },
    always: '503',
    steps: [{ ...GREETING, error: unavailable('unavailable', 503) }],
    calls: 3,
  },
  {
    title: 'the total time bounds the attempts, however many are allowed',
    client: { retries: 1_000_000, totalTimeoutMs: 2_000 },
    always: '503',
    steps: [{ ...GREETING, error: unavailable('unavailable', 503) }],
  },
  {
    title: 'an attempt cut short by the total time raises the error before it',
    client: { totalTimeoutMs: 2_000 },
    faults: ['429, try again at once', 'slow'],
    steps: [{ ...GREETING, error: limited }],
    calls: 2,
  },
  {
    title: 'a parser that cannot read a reply does not show what it read',
    client: { retries: 0 },
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
