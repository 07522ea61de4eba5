// The events of clients, without times and request ids, which differ in every run.
import { type Behaviour, FOLDER, GREETING } from '../behaviour.ts';

const PROMPT = { operation: 'prompt', name: 'greeting' };
const SECRETS = { operation: 'secrets' };
const FAILED = { error: 'unavailable' };

export const EVENTS: readonly Behaviour[] = [
  {
    title: 'there are events for each attempt, retry and copy',
    client: { events: true },
    faults: ['503', 'a service that does not know "strict"'],
    steps: [
      GREETING,
      GREETING,
      {
        op: 'events',
        equals: [
          { ...PROMPT, type: 'request', attempt: 1, status: 503, ...FAILED },
          { ...PROMPT, type: 'retry', attempt: 1, ...FAILED },
          { ...PROMPT, type: 'request', attempt: 2, status: 200, ignored: 'strict' },
          { ...PROMPT, type: 'cache_hit', version: '1.1.0' },
        ],
      },
    ],
  },
  {
    title: 'there are events for the rest, the fallback, and the stale copy after a failed refresh',
    client: { events: true, maxRetries: 0 },
    faults: ['pass'],
    always: '503',
    steps: [
      GREETING,
      { pass: 70_000 },
      GREETING,
      // The background refresh: if the next call failed before its request, the breaker would prevent it.
      { untilCalls: 2 },
      {
        op: 'prompts.get',
        args: { name: 'other', fallback: 'Hi', fresh: true },
        eventually: true,
        ok: { source: 'fallback' },
      },
      { quiet: true },
      {
        op: 'events',
        equals: expect.arrayContaining([
          { ...PROMPT, type: 'request', attempt: 1, status: 200 },
          { ...PROMPT, type: 'stale_served', origin: 'memory', version: '1.1.0' },
          { ...PROMPT, type: 'request', attempt: 1, status: 503, ...FAILED },
          // Of the call and the background refresh, the one that fails first opens the breaker.
          expect.objectContaining({ type: 'breaker_open', pauseMs: 5000, ...FAILED }),
          { ...PROMPT, type: 'refresh_failed', ...FAILED },
          { operation: 'prompt', name: 'other', type: 'fallback_served', ...FAILED },
        ]),
      },
    ],
  },
  {
    title: 'there are events for old secrets in memory, and for an offline copy that cannot be written',
    client: {
      events: true,
      maxRetries: 0,
      cache: { secretsMs: 10_000 },
      // A file.
      offline: { directory: `${FOLDER}/key` },
    },
    steps: [
      { op: 'secrets.all' },
      { service: 'down' },
      { pass: 11_000 },
      { op: 'secrets.all' },
      {
        op: 'events',
        equals: expect.arrayContaining([
          { ...SECRETS, type: 'offline_failed', error: expect.stringMatching(/^E(EXIST|NOTDIR)$/) },
          { ...SECRETS, type: 'stale_served', origin: 'memory', error: 'connection_failed' },
        ]),
      },
    ],
  },
  {
    title: 'events name the origin of old secrets, and show no value',
    client: { events: true, maxRetries: 0, offline: { directory: FOLDER } },
    steps: [
      { op: 'secrets.all' },
      { service: 'down' },
      { op: 'secrets.all' },
      { op: 'secrets.get', args: { key: 'UNKNOWN' }, error: { code: 'connection_failed' } },
      {
        op: 'events',
        equals: [
          { ...SECRETS, type: 'request', attempt: 1, status: 200 },
          { ...SECRETS, type: 'request', attempt: 1, error: 'connection_failed' },
          { ...SECRETS, type: 'breaker_open', pauseMs: 5000, error: 'connection_failed' },
          { ...SECRETS, type: 'stale_served', origin: 'offline', error: 'connection_failed' },
        ],
      },
    ],
  },
];
