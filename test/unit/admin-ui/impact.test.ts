import {
  affectedKeys,
  type Caller,
  neededBy,
  type Scope,
  type Touched,
} from '../../../admin-ui/src/features/prompts/impact/impact.ts';
import type { BreakingChange } from '../../../contract/content/breaking.ts';

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

const affected = (callers: readonly Caller[], scopes: Scope[], change: Partial<Touched> = {}) =>
  affectedKeys([{ name: 'greeting', callers, scopes, ...change }]);
const idsFor = (...scopes: Scope[]) => affected(CALLERS, scopes).map(({ apiKeyId }) => apiKeyId);

test('a change affects those callers that ask for what it changes, and no others', () => {
  expect(idsFor({ kind: 'latest' })).toEqual(['latest']);
  expect(idsFor({ kind: 'label', label: 'production' })).toEqual(['production']);
  expect(idsFor({ kind: 'version', version: '1.0.0' })).toEqual(['pinned']);
  expect(idsFor({ kind: 'version', version: '1.1.0' })).toEqual([]);
  expect(idsFor({ kind: 'latest' }, { kind: 'label', label: 'staging' })).toEqual(['latest', 'staging']);
  expect(idsFor({ kind: 'prompt' })).toHaveLength(4);
});

test('an API key is listed once, with everything it asks for and its last fetch', () => {
  const rows = [
    caller({ fetches: 2, lastAt: '2026-03-02T12:00:00.000Z' }),
    caller({ asked: 'version', fetches: 3 }),
    caller({ asked: 'label', label: 'production', fetches: 4 }),
  ];
  expect(affected(rows, [{ kind: 'prompt' }])).toMatchObject([
    { asks: ['latest', '1.0.0', 'production'], fetches: 9, lastAt: '2026-03-02T12:00:00.000Z' },
  ]);
});

test('a caller is reported to send no value for a new variable only if its variable names are known', () => {
  const rows = [
    caller({ apiKeyId: 'sends', fetches: 3, compiled: 3, variables: ['day', 'user'] }),
    caller({ apiKeyId: 'lacks', fetches: 2, compiled: 2, variables: ['user'] }),
    caller({ apiKeyId: 'unknown', fetches: 1 }),
  ];
  expect(affected(rows, [{ kind: 'latest' }], { needed: ['day'] })).toMatchObject([
    { apiKeyId: 'sends', unsent: [], isSendingUnknown: false },
    { apiKeyId: 'lacks', unsent: ['day'], isSendingUnknown: false },
    { apiKeyId: 'unknown', unsent: [], isSendingUnknown: true },
  ]);
});

test('a caller is reported to send no value for a variable that no version is new to, and that it never sent', () => {
  const rows = [caller({ fetches: 2, compiled: 2, variables: ['user'] })];
  const needed = neededBy({
    prompt: 'Hello {{user}} in {{place}}, {{tone}}',
    variables: { tone: { type: 'string', default: 'warm' } },
  });
  expect(affected(rows, [{ kind: 'latest' }], { needed })).toMatchObject([{ unsent: ['place'] }]);
});

test('a caller breaks if it is known to lack a value, and is unknown if it compiles the template itself', () => {
  const rows = [
    caller({ apiKeyId: 'sends', fetches: 3, compiled: 3, variables: ['day', 'old'] }),
    caller({ apiKeyId: 'lacks', fetches: 2, compiled: 2, variables: ['user'] }),
    caller({ apiKeyId: 'itself', fetches: 1 }),
  ];
  const verdicts = (...changes: BreakingChange[]) => {
    const found = affected(rows, [{ kind: 'latest' }], { needed: ['day'], changes });
    return rows.map((row) => found.find(({ apiKeyId }) => apiKeyId === row.apiKeyId)?.verdict);
  };
  expect(verdicts({ kind: 'variable-added', name: 'day' })).toEqual(['works', 'breaks', 'unknown']);
  expect(verdicts({ kind: 'variable-removed', name: 'old' })).toEqual(['unknown', 'works', 'unknown']);
  expect(verdicts({ kind: 'tool-added', name: 'lookup' })).toEqual(['unknown', 'unknown', 'unknown']);
  const retyped = verdicts({ kind: 'type-changed', from: 'text', to: 'chat' });
  expect(retyped).toEqual(['breaks', 'breaks', 'breaks']);
  expect(verdicts()).toEqual(['works', 'works', 'works']);
});
