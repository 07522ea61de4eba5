import type { Content } from '../../../contract/content/content.ts';
import { affectedKeys, type Caller, type Touched } from '../../../lambdas/core/prompts/affected.ts';

const caller = (changes: Partial<Caller>): Caller => ({
  apiKeyId: 'web',
  apiKeyName: 'web',
  asked: 'latest',
  version: '1.0.0',
  fetches: 1,
  compiled: 0,
  lastAt: '2026-03-01T12:00:00.000Z',
  ...changes,
});

const CALLERS = [
  caller({ apiKeyId: 'latest' }),
  caller({ apiKeyId: 'production', asked: 'label', label: 'production' }),
  caller({ apiKeyId: 'staging', asked: 'label', label: 'staging' }),
  caller({ apiKeyId: 'pinned', asked: 'version' }),
];

const affected = (callers: readonly Caller[], change: Partial<Touched> = {}) =>
  affectedKeys([{ name: 'greeting', callers, ...change }]);
const idsFor = (change: Partial<Touched>) => affected(CALLERS, change).map(({ apiKeyId }) => apiKeyId);

test('a change affects those callers that ask for what it changes, and no others', () => {
  expect(idsFor({ latest: true })).toEqual(['latest']);
  expect(idsFor({ label: 'production' })).toEqual(['production']);
  expect(idsFor({ version: '1.0.0' })).toEqual(['pinned']);
  expect(idsFor({ version: '1.1.0' })).toEqual([]);
  expect(idsFor({ latest: true, label: 'staging' })).toEqual(['latest', 'staging']);
  expect(idsFor({})).toHaveLength(4);
});

test('an API key is listed once, with everything it asks for and its last fetch', () => {
  const rows = [
    caller({ fetches: 2, lastAt: '2026-03-02T12:00:00.000Z' }),
    caller({ asked: 'version', fetches: 3 }),
    caller({ asked: 'label', label: 'production', fetches: 4 }),
  ];
  const [key, ...others] = affected(rows);
  expect(others).toEqual([]);
  expect(key).toMatchObject({
    asks: ['latest', '1.0.0', 'production'],
    fetches: 9,
    lastAt: '2026-03-02T12:00:00.000Z',
  });
  expect(key?.verdict).toBeUndefined();
});

const BEFORE = { prompt: '{{user}} {{old}} {{place}} {{tone}}' };

const SENDERS = [
  caller({ apiKeyId: 'sends', fetches: 3, compiled: 3, variables: ['day', 'place', 'user'] }),
  caller({ apiKeyId: 'lacks', fetches: 2, compiled: 2, variables: ['old', 'user'] }),
  caller({ apiKeyId: 'itself', fetches: 1 }),
];

test('a caller lacks each variable that it must send, new or not, if the names that it sends are known', () => {
  const tone = { type: 'string', default: 'warm' } as const;
  const after = { prompt: '{{user}} {{day}} {{place}} {{tone}}', variables: { tone } };
  const found = affected(SENDERS, { before: BEFORE, after });
  expect(found.map(({ apiKeyId, unsent, unused }) => [apiKeyId, unsent, unused])).toEqual([
    ['lacks', ['day', 'place'], ['old']],
    ['itself', [], []],
    ['sends', [], []],
  ]);
  expect(found.map((key) => key.isSendingUnknown)).toEqual([false, true, false]);
});

test('a caller breaks if it is known to lack a value, and is unknown if it compiles the template itself', () => {
  const verdicts = (before: Content, after: Content) => {
    const found = affected(SENDERS, { before, after });
    return SENDERS.map((row) => found.find(({ apiKeyId }) => apiKeyId === row.apiKeyId)?.verdict);
  };
  expect(verdicts({ prompt: '' }, { prompt: '{{day}}' })).toEqual(['works', 'breaks', 'unknown']);
  expect(verdicts({ prompt: '{{old}}' }, { prompt: '' })).toEqual(['works', 'unknown', 'unknown']);
  const tools = [{ name: 'lookup', parameters: {} }];
  expect(verdicts({ prompt: '' }, { prompt: '', tools })).toEqual(['unknown', 'unknown', 'unknown']);
  const chat = { type: 'chat', messages: [] } as const;
  expect(verdicts({ prompt: '' }, chat)).toEqual(['breaks', 'breaks', 'breaks']);
  expect(verdicts({ prompt: '' }, { prompt: 'x' })).toEqual(['works', 'works', 'works']);
});

test('of several changes, a key is listed once with all its fetches; those that break come first', () => {
  const asking = (apiKeyId: string, fetches: number, variables?: string[]) =>
    caller({
      apiKeyId,
      apiKeyName: apiKeyId,
      asked: 'label',
      label: 'production',
      fetches,
      ...(variables && { compiled: fetches, variables }),
    });
  const same = { label: 'production', before: { prompt: '{{user}}' } };
  const found = affectedKeys([
    {
      ...same,
      name: 'reply',
      callers: [asking('breaks', 1, ['user']), asking('works', 5, ['day', 'user']), asking('local', 2)],
      after: { prompt: '{{user}} {{day}}' },
    },
    {
      ...same,
      name: 'new',
      callers: [asking('works', 7, ['user']), { ...asking('elsewhere', 9), label: 'staging' }],
      after: { prompt: 'Hi {{user}}' },
    },
  ]);
  expect(found.map(({ apiKeyId, fetches, verdict }) => [apiKeyId, fetches, verdict])).toEqual([
    ['breaks', 1, 'breaks'],
    ['local', 2, 'unknown'],
    ['works', 12, 'works'],
  ]);
  expect(found[2]?.prompts).toEqual([
    { name: 'reply', verdict: 'works' },
    { name: 'new', verdict: 'works' },
  ]);
});
