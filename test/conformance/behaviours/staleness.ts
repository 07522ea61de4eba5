// How old a copy may be, and what answers when no copy can.
import { ALL, type Behaviour, FOLDER, GONE, GREETING, greeting, OPENAI } from '../behaviour.ts';

const SUPPORT = { op: 'prompts.get', args: { name: 'support-reply' } } as const;

/** A busy machine can take longer than the default to answer. */
const PATIENT = { cache: { refreshWaitMs: 10_000 } };

export const STALENESS: readonly Behaviour[] = [
  {
    title: 'a prompt older than the limit is not served: the call waits for the service, or fails',
    client: { cache: { latestMs: 10_000, maxStaleMs: 100_000 }, maxRetries: 0 },
    steps: [
      GREETING,
      { pass: 150_000 },
      { ...GREETING, ok: { source: 'service' } },
      { service: 'down' },
      { pass: 150_000 },
      { ...GREETING, error: GONE },
    ],
    calls: 2,
  },
  {
    title: 'a copy three times as old as recent waits for the service',
    client: PATIENT,
    steps: [
      GREETING,
      { pass: 200_000 },
      { ...GREETING, concurrency: 20, ok: Array(20).fill({ source: 'service' }) },
      { ...GREETING, ok: { source: 'cache' } },
    ],
    calls: 2,
  },
  {
    title: 'other old copies are refreshed with the first one that is asked for, if they were used',
    client: PATIENT,
    steps: [
      ...[{ name: 'greeting' }, { name: 'greeting', label: 'production' }, { name: 'support-reply' }].map(
        (args): Behaviour['steps'][number] => ({
          op: 'prompts.get',
          args: { ...args, metaProperties: { a: 1 } },
        }),
      ),
      { pass: 200_000 },
      { ...GREETING, ok: { source: 'service' } },
      { untilCalls: 6 },
      // A refresh that time overtakes is sent again.
      { quiet: true },
      { ...SUPPORT, ok: { source: 'cache' } },
      // Nobody has asked for the label since.
      { pass: 200_000 },
      { ...GREETING, ok: { source: 'service' } },
      { quiet: true },
      { ...SUPPORT, ok: { source: 'cache' } },
    ],
    calls: 8,
  },
  {
    title: 'an old copy answers if the service fails, and during a pause nobody waits again',
    client: { maxRetries: 0, pauseMs: 0 },
    faults: ['pass', '500'],
    always: 'slow',
    steps: [
      GREETING,
      { pass: 200_000 },
      { ...GREETING, ok: { source: 'stale', version: '1.1.0' } },
      { ...GREETING, ok: { source: 'stale', version: '1.1.0' } },
    ],
  },
  {
    title: 'an old copy answers if the service takes too long, and the call continues',
    client: { cache: { refreshWaitMs: 20 } },
    faults: ['pass'],
    always: 'late',
    steps: [
      GREETING,
      { pass: 200_000 },
      { ...GREETING, ok: { source: 'stale' } },
      { ...GREETING, ok: { source: 'stale' } },
      { ...GREETING, eventually: true, ok: { source: 'cache' } },
    ],
    calls: 2,
  },
  {
    title: 'in a Lambda function a copy is recent or waits, and nothing runs behind an answer',
    client: PATIENT,
    steps: [
      { op: 'environment', args: { set: { AWS_LAMBDA_FUNCTION_NAME: 'worker' } } },
      GREETING,
      { pass: 70_000 },
      { ...GREETING, ok: { source: 'service' } },
      { ...GREETING, ok: { source: 'cache' } },
      { op: 'environment', args: { set: { AWS_LAMBDA_FUNCTION_NAME: null } } },
    ],
    calls: 2,
  },
  {
    title: 'a process that was frozen asks the service with its first call',
    client: { cache: { ...PATIENT.cache, latestMs: 100 } },
    steps: [GREETING, { freeze: 500 }, { ...GREETING, ok: { source: 'service' } }],
    calls: 2,
  },
  {
    title: 'a request that a freeze interrupted is sent again, and does not count as an outage',
    client: { timeoutMs: 1_000, maxRetries: 0, pauseMs: 300_000 },
    faults: ['pass', 'slow'],
    steps: [
      GREETING,
      { pass: 200_000 },
      { ...GREETING, freezeMs: 2_500, ok: { source: 'service' } },
      { ...SUPPORT, ok: { source: 'service' } },
    ],
    calls: 4,
  },
  {
    title:
      'a refresh in the background that a freeze interrupted is sent again, and does not count as an outage',
    client: { timeoutMs: 1_000, maxRetries: 0, pauseMs: 300_000 },
    faults: ['pass', 'slow'],
    steps: [
      GREETING,
      { pass: 70_000 },
      { ...GREETING, freezeMs: 2_500, ok: { source: 'stale' } },
      { ...GREETING, eventually: true, ok: { source: 'cache' } },
      { ...SUPPORT, ok: { source: 'service' } },
    ],
    calls: 4,
  },
  {
    title: 'a copy ages while the monotonic clock stands still, and while the wall clock is set back',
    steps: [
      GREETING,
      { pass: 200_000, only: 'wall' },
      { ...GREETING, ok: { source: 'service' } },
      { pass: -10_000_000, only: 'wall' },
      { ...GREETING, ok: { source: 'cache' } },
      { pass: 200_000, only: 'steady' },
      { ...GREETING, ok: { source: 'service' } },
    ],
    calls: 3,
  },
  {
    title: 'a copy that no age suits is asked for once, however quickly the service answers',
    steps: [
      GREETING,
      ...Array.from({ length: 5 }, () => ({ ...greeting({ ttlMs: 0 }), ok: { source: 'service' } })),
    ],
    calls: 6,
  },
  {
    title: 'a fresh read makes a call even during the pause after a failed one',
    client: { maxRetries: 0, pauseMs: 300_000 },
    faults: ['pass', '503'],
    steps: [
      GREETING,
      { ...greeting({ fresh: true }), ok: { source: 'stale' } },
      { ...greeting({ fresh: true }), ok: { source: 'service' } },
    ],
    calls: 3,
  },
  {
    title: 'secrets in memory older than the limit are not served',
    client: { cache: { secretsMs: 10_000, maxStaleMs: 100_000 }, maxRetries: 0 },
    steps: [ALL, { service: 'down' }, { pass: 150_000 }, { ...ALL, error: GONE }],
    calls: 1,
  },
  {
    title: 'a call can limit the age of a cached copy',
    client: { cache: { latestMs: 20 } },
    steps: [GREETING, { pass: 50 }, { ...greeting({ ttlMs: 60_000 }), ok: { source: 'cache' } }],
    calls: 1,
  },
  {
    title: 'a call can keep secrets in memory that the client does not',
    steps: [
      { ...ALL, args: { ttlMs: 60_000 }, ok: OPENAI },
      { ...ALL, args: { ttlMs: 60_000 }, ok: OPENAI },
      { ...ALL, ok: OPENAI },
    ],
    calls: 2,
  },
  {
    title: 'secrets that a call accepts no copy of are kept for others',
    client: { cache: { secretsMs: 60_000 } },
    steps: [{ ...ALL, args: { ttlMs: 0 }, ok: OPENAI }, ALL, { ...ALL, args: { ttlMs: 0 } }],
    calls: 2,
  },
  {
    title: 'fresh secrets come from the service, or not at all',
    client: { cache: { secretsMs: 60_000 }, maxRetries: 0, offline: { directory: FOLDER } },
    steps: [
      ALL,
      { ...ALL, args: { fresh: true }, ok: OPENAI },
      { op: 'secrets.get', args: { key: 'OPENAI_API_KEY', fresh: true }, ok: OPENAI.OPENAI_API_KEY },
      { ...ALL, ok: OPENAI },
      { service: 'down' },
      { ...ALL, args: { fresh: true }, error: GONE },
      { ...ALL, ok: OPENAI },
    ],
    calls: 3,
  },
];
