// When clients answer from a copy.
import { type Behaviour, GREETING, greeting } from '../behaviour.ts';

const FIRST = greeting({ version: '1.0.0' });

export const CACHE: readonly Behaviour[] = [
  {
    title: 'a recent copy of the latest version answers without a call',
    steps: [
      { ...GREETING, ok: { source: 'service' } },
      { ...GREETING, ok: { source: 'cache', version: '1.1.0' } },
      {
        ...greeting({ variables: { user: 'Ada' } }),
        ok: { source: 'cache', compiledPrompt: 'Hello Ada, welcome to {{ place }}.' },
      },
    ],
    calls: 1,
  },
  {
    title: 'a recent copy of secrets answers without a call, in any order of tags',
    client: { cache: { secretsMs: 10_000 } },
    steps: [
      { op: 'secrets.all', args: { tags: ['sample', 'llm'] } },
      { op: 'secrets.all', args: { tags: ['llm', 'sample', 'llm'] } },
    ],
    calls: 1,
  },
  {
    title: 'tags that are no list are rejected, even if a copy of all secrets could answer',
    client: { cache: { secretsMs: 10_000 } },
    steps: [
      { op: 'secrets.all' },
      ...['', 'llm', 0, false].map((tags) => ({
        op: 'secrets.all' as const,
        args: { tags },
        error: { type: 'InvalidRequestError', code: 'invalid_request' },
      })),
      { op: 'secrets.all', args: { tags: null }, error: {} },
    ],
    calls: 1,
  },
  {
    title: 'an exact version is cached forever, even during an outage',
    client: { cache: { latestMs: 0, maxStaleMs: 0 } },
    steps: [
      { ...FIRST, ok: { source: 'service' } },
      { service: 'down' },
      { pass: 70_000 },
      { ...FIRST, ok: { source: 'cache', version: '1.0.0' } },
    ],
    calls: 1,
  },
  {
    title: 'a stale copy is returned immediately while one refresh runs, and the next call gets the new one',
    steps: [
      { ...GREETING, ok: { source: 'service' } },
      { pass: 70_000 },
      { ...GREETING, concurrency: 20, ok: Array(20).fill({ source: 'stale', version: '1.1.0' }) },
      { ...GREETING, eventually: true, ok: { source: 'cache' } },
    ],
    calls: 2,
  },
  {
    title: 'labels expire like the latest version',
    steps: [
      { ...greeting({ label: 'production' }), ok: { source: 'service' } },
      { pass: 70_000 },
      { ...greeting({ label: 'production' }), ok: { source: 'stale' } },
      { untilCalls: 2 },
    ],
    calls: 2,
  },
  {
    title: 'a hundred concurrent calls for an uncached prompt share one request',
    steps: [{ ...GREETING, concurrency: 100, ok: Array(100).fill({ version: '1.1.0' }) }],
    calls: 1,
  },
  {
    title: 'concurrent calls share a failure too, and the next call is sent again',
    faults: ['404'],
    steps: [
      { ...GREETING, concurrency: 10, error: { code: 'prompt_not_found' } },
      { ...GREETING, ok: { source: 'service' } },
    ],
    calls: 2,
  },
  {
    title: 'everything that selects an answer is part of the cache key',
    steps: [
      { ...GREETING, ok: { version: '1.1.0', source: 'service' } },
      { ...FIRST, ok: { version: '1.0.0', source: 'service' } },
      { ...greeting({ version: '1.1.0' }), ok: { version: '1.1.0', source: 'service' } },
      { ...greeting({ label: 'production' }), ok: { version: '1.0.0', source: 'service' } },
      {
        op: 'prompts.get',
        args: { name: 'support-reply' },
        ok: { name: 'support-reply', source: 'service' },
      },
      { op: 'prompts.get', args: { promptId: 'greeting' }, error: { code: 'prompt_not_found' } },
    ],
    calls: 6,
  },
  {
    title: 'a full cache evicts the least recently used entry',
    client: { cache: { maxEntries: 2 } },
    steps: [
      { ...GREETING },
      { ...FIRST },
      { ...GREETING, ok: { source: 'cache' } },
      { op: 'prompts.get', args: { name: 'support-reply' } },
      { ...GREETING, ok: { source: 'cache' } },
      { ...FIRST, ok: { source: 'service' } },
    ],
    calls: 4,
  },
  {
    title: 'without a cache every call reaches the service, even a hundred equal ones',
    client: { cache: false },
    steps: [GREETING, { ...GREETING, ok: { source: 'service' } }, { ...GREETING, concurrency: 10 }],
    calls: 12,
  },
];
