// How clients remember an outage.
import { ALL, type Behaviour, FOLDER, GREETING, greeting, OPENAI } from '../behaviour.ts';

/** A rest that is longer than any test. */
const LONG = 300_000;

const COUNTED: readonly Behaviour[] = (
  ['503', '504', 'HTML 502', 'reset', 'slow', "the gateway's own 429"] as const
).map((fault) => ({
  title: `${fault}: nothing more is sent for a while, and later calls fail at once`,
  client: { pauseMs: LONG, maxRetries: 0, ...(fault === 'slow' ? { timeoutMs: 1_000 } : {}) },
  faults: [fault],
  steps: [
    { ...ALL, error: {} },
    { ...ALL, error: {} },
    { ...GREETING, error: {} },
  ],
  calls: 1,
}));

const NOT_COUNTED: readonly Behaviour[] = (['500', 'truncated JSON', 'HTML 403', '401', '404'] as const).map(
  (fault) => ({
    title: `${fault} does not affect the next call`,
    client: { maxRetries: 0 },
    faults: [fault],
    steps: [
      { ...ALL, error: {} },
      { ...ALL, ok: OPENAI },
    ],
    calls: 2,
  }),
);

const DOWN = { type: 'UnavailableError', code: 'unavailable', status: 503 };
const UNSENT =
  'The code unavailable was injected. This call was not sent, because an earlier one failed in this way.';

const RESTS: readonly Behaviour[] = [
  {
    title: 'a call that is not sent has the error of the failed call, and says so',
    client: { pauseMs: LONG, maxRetries: 0 },
    always: '503',
    steps: [
      { ...ALL, error: { ...DOWN, message: 'The code unavailable was injected.' } },
      ...Array(2).fill({ ...ALL, error: { ...DOWN, message: UNSENT } }),
    ],
    calls: 1,
  },
  {
    title: 'after the rest, one attempt without retries probes the service',
    client: { pauseMs: 20_000 },
    faults: Array(4).fill('503'),
    steps: [
      { ...ALL, error: { status: 503 } },
      { pass: 21_000 },
      { ...ALL, error: { status: 503 } },
      { ...ALL, error: { status: 503 } },
      { pass: 21_000 },
      { ...ALL, ok: OPENAI },
      { ...ALL, ok: OPENAI },
    ],
    calls: 6,
  },
  {
    title: 'one attempt at a time follows the rest; meanwhile other calls fail at once',
    // Long enough for the attempt to be sent on a busy machine.
    client: { pauseMs: 20_000, maxRetries: 0, timeoutMs: 3_000 },
    faults: ['503'],
    always: 'slow',
    steps: [
      { ...ALL, error: { status: 503 } },
      { pass: 21_000 },
      { ...GREETING, concurrency: 20, error: {} },
    ],
    calls: 2,
  },
  ...(['429, retry-after: 3600', '503, try again in an hour'] as const).map(
    (fault): Behaviour => ({
      title: `${fault}: the rest is as long as the reply asks`,
      client: { pauseMs: 1, maxRetries: 0 },
      faults: [fault],
      steps: [
        { ...ALL, error: { retryAfter: 3600 } },
        { pass: 200_000 },
        { ...ALL, error: { retryAfter: 3600 } },
      ],
      calls: 1,
    }),
  ),
  {
    title: 'calls that fail together begin one rest, the longest that was asked for',
    client: { pauseMs: 1, maxRetries: 0, timeoutMs: 1_000, cache: false, events: true },
    // The second call fails a second after the first.
    faults: ['429, retry-after: 3600', 'slow'],
    steps: [
      { ...ALL, concurrency: 2, error: {} },
      { pass: 200_000 },
      { ...ALL, error: { code: 'timeout' } },
      {
        op: 'events',
        equals: expect.not.arrayContaining([expect.objectContaining({ type: 'breaker_open', pauseMs: 1 })]),
      },
    ],
    calls: 2,
  },
  {
    title: 'a rest that a later answer ended does not count for the next one',
    client: { pauseMs: 20_000, maxRetries: 0, cache: false },
    faults: ['429, retry-after: 3600', 'late', '503'],
    steps: [
      { ...ALL, concurrency: 2, error: { retryAfter: 3600 } },
      { ...ALL, error: { status: 503 } },
      { pass: 21_000 },
      { ...ALL, ok: OPENAI },
    ],
    calls: 4,
  },
  {
    title: 'a rest may be longer than a reply can ask for',
    client: { pauseMs: 600_000, maxRetries: 0 },
    faults: ['503'],
    steps: [{ ...ALL, error: {} }, { pass: 500_000 }, { ...ALL, error: {} }],
    calls: 1,
  },
];

const COPIES: readonly Behaviour[] = [
  {
    title: 'during an outage an old prompt answers, and is not refreshed',
    client: { pauseMs: LONG, maxRetries: 0 },
    faults: ['pass'],
    always: '503',
    steps: [
      GREETING,
      { pass: 70_000 },
      { ...GREETING, ok: { source: 'stale' } },
      { untilCalls: 2 },
      ...Array(5).fill({ ...GREETING, ok: { source: 'stale' } }),
    ],
    calls: 2,
  },
  {
    title:
      'during an outage a copy of secrets answers at once; after the rest, while one attempt runs beside it',
    client: { pauseMs: 20_000, maxRetries: 0, offline: { directory: FOLDER } },
    faults: ['pass', '503'],
    steps: [
      { ...ALL, ok: OPENAI },
      { ...ALL, ok: OPENAI },
      { ...ALL, ok: OPENAI },
      { pass: 21_000 },
      { ...ALL, ok: OPENAI },
      { untilCalls: 3 },
    ],
    calls: 3,
  },
  {
    title: 'during an outage the fallback answers without a request',
    client: { pauseMs: LONG, maxRetries: 0 },
    always: '503',
    steps: Array(3).fill({ ...greeting({ fallback: 'Hi' }), ok: { source: 'fallback' } }),
    calls: 1,
  },
];

export const BREAKER: readonly Behaviour[] = [...COUNTED, ...NOT_COUNTED, ...RESTS, ...COPIES];
