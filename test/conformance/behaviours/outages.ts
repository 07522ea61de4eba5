// Which copies answer when the service cannot, and which must not.
import { ALL, type Behaviour, FOLDER, GREETING, greeting, OPENAI } from '../behaviour.ts';

const PROMPTS: readonly Behaviour[] = [
  ...(['503', '500', 'slow', 'reset', 'HTML 502', "the gateway's own 429", 'truncated JSON'] as const).map(
    (fault): Behaviour => ({
      title: `${fault}: the stale copy is served with its age`,
      // Only behaviours that expect a timeout have a short one.
      client: { maxRetries: 0, ...(fault === 'slow' ? { timeoutMs: 1_500 } : {}) },
      faults: ['pass'],
      always: fault,
      steps: [
        GREETING,
        { pass: 70_000 },
        { ...GREETING, ok: { source: 'stale', version: '1.1.0', ageMs: expect.closeTo(70_000, -5) } },
        { untilCalls: 2 },
        { ...GREETING, ok: { source: 'stale', version: '1.1.0' } },
        { ...greeting({ fresh: true }), ok: { source: 'stale' } },
      ],
    }),
  ),
  ...(['401', '403', '404'] as const).map(
    (fault): Behaviour => ({
      title: `${fault} drops the copy`,
      client: { maxRetries: 0 },
      faults: ['pass'],
      always: fault,
      steps: [
        GREETING,
        { pass: 70_000 },
        { ...GREETING, ok: { source: 'stale' } },
        { ...GREETING, eventually: true, error: { status: Number(fault) } },
      ],
      calls: 3,
    }),
  ),
  {
    title: 'the refusal of a fresh read drops the copy',
    client: { maxRetries: 0 },
    faults: ['pass', '403'],
    steps: [
      GREETING,
      { ...greeting({ fresh: true }), error: { status: 403 } },
      { service: 'down' },
      { ...GREETING, error: { code: 'connection_failed' } },
    ],
    calls: 2,
  },
  {
    title: 'the fallback is compiled and served as the last resort',
    steps: [
      { service: 'down' },
      {
        ...greeting({ fallback: 'Hi {{user}}', variables: { user: 'Ada' } }),
        ok: { source: 'fallback', name: 'greeting', prompt: 'Hi {{user}}', compiledPrompt: 'Hi Ada' },
      },
      { service: 'up' },
      { ...greeting({ fallback: 'Hi {{user}}' }), ok: { source: 'service' } },
      { service: 'down' },
      { ...greeting({ fallback: 'Hi {{user}}' }), ok: { source: 'cache' } },
    ],
    client: { maxRetries: 0, pauseMs: 0 },
  },
  {
    title: 'the fallback does not hide an invalid call',
    steps: [
      { op: 'prompts.get', args: { name: 'nobody', fallback: 'Hi' }, error: { code: 'prompt_not_found' } },
      { ...greeting({ version: 'x', fallback: 'Hi' }), error: { code: 'invalid_request' } },
    ],
  },
];

const SECRETS: readonly Behaviour[] = [
  {
    title: 'secrets are not cached by default, but concurrent equal reads share one request',
    steps: [
      ALL,
      ALL,
      { ...ALL, concurrency: 100 },
      { service: 'down' },
      { ...ALL, error: { code: 'connection_failed' } },
    ],
    client: { maxRetries: 0 },
    calls: 3,
  },
  {
    title: 'cached secrets are served while recent, and stale ones only during an outage',
    client: { cache: { secretsMs: 60_000 }, maxRetries: 0 },
    steps: [
      ALL,
      { ...ALL, ok: OPENAI },
      { ...ALL, args: { tags: ['llm'] }, ok: OPENAI },
      { pass: 70_000 },
      ALL,
      { service: 'down' },
      { pass: 70_000 },
      { ...ALL, ok: OPENAI },
      { op: 'secrets.get', args: { key: 'OPENAI_API_KEY' }, ok: OPENAI.OPENAI_API_KEY },
      { op: 'secrets.get', args: { key: 'UNKNOWN' }, error: { code: 'connection_failed' } },
      {
        op: 'secrets.get',
        args: { key: 'OPENAI_API_KEY', fresh: true },
        error: { code: 'connection_failed' },
      },
    ],
    calls: 3,
  },
  {
    title: 'a refused secret does not come from a copy of all secrets either',
    client: { cache: { secretsMs: 60_000 }, maxRetries: 0, offline: { directory: FOLDER } },
    faults: ['pass', '404'],
    steps: [
      ALL,
      { op: 'secrets.get', args: { key: 'OPENAI_API_KEY' }, error: { status: 404 } },
      { service: 'down' },
      { op: 'secrets.get', args: { key: 'OPENAI_API_KEY' }, error: { code: 'connection_failed' } },
    ],
    calls: 2,
  },
  {
    title: 'when all releases are stopped, no copy is served, from memory or from disk, then or later',
    client: { maxRetries: 0, cache: { secretsMs: 60_000 }, offline: { directory: FOLDER } },
    faults: ['pass', 'stopped', 'stopped'],
    steps: [
      ALL,
      { pass: 70_000 },
      { ...ALL, error: { type: 'PermissionDeniedError', code: 'vault_stopped' } },
      { ...ALL, client: 'another', error: { type: 'PermissionDeniedError', code: 'vault_stopped' } },
      { service: 'down' },
      { ...ALL, error: { code: 'connection_failed' } },
      { ...ALL, client: 'another', error: { code: 'connection_failed' } },
    ],
  },
];

export const OUTAGES: readonly Behaviour[] = [...PROMPTS, ...SECRETS];
