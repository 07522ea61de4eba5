import {
  contentOf,
  EMPTY,
  messagesIn,
  moved,
  ofType,
  readContent,
} from '../../../admin-ui/src/features/prompts/editor/content.ts';
import { tryContent } from '../../../admin-ui/src/features/prompts/try-it/compiled.ts';
import {
  blocksOf,
  type Compared,
  fieldChanges,
  pairsOf,
} from '../../../admin-ui/src/features/prompts/versions/changes.ts';
import { textFieldsIn } from '../../../admin-ui/src/features/prompts/versions/version-text.ts';
import type { ChatContent } from '../../../contract/content/content.ts';

const CHAT: ChatContent = {
  type: 'chat',
  messages: [
    { role: 'system', content: 'You are {{tone}}.' },
    { type: 'placeholder', name: 'history', optional: true },
    { role: 'user', content: '{{question}} {{__proto__}}' },
  ],
  variables: Object.fromEntries([
    ['tone', { type: 'string', description: 'How', enum: ['friendly', 'formal'], default: 'friendly' }],
    ['question', { type: 'array', enum: [[1], ['a']], default: [1] }],
    ['__proto__', { type: 'string', default: '' }],
  ] as const),
  model: 'anthropic/claude-sonnet',
  config: { temperature: 0.2 },
  output: { schema: { type: 'object' } },
  includes: ['shared/tone@1.0.0'],
  tools: [{ name: 'lookup', description: 'Finds', inputSchema: { type: 'object' } }],
  tags: ['a'],
  metaProperties: { owner: 'support' },
};

const TYPED = contentOf({
  ...CHAT,
  prompt: JSON.stringify(CHAT.messages),
  note: 'why',
  contentHash: '',
  publishedAt: '',
  publishedBy: '',
  promptId: 'p',
  version: '1.0.0',
} as never);

test('the editor returns a content exactly as it was', () => {
  const { body, problems } = readContent(TYPED);
  expect(problems).toEqual([]);
  expect(body).toEqual({ ...CHAT, note: 'why' });
  expect(readContent({ ...EMPTY, prompt: 'Hi' }).body).toEqual({
    prompt: 'Hi',
    tags: [],
    metaProperties: {},
    note: '',
  });
});

test('a field that cannot be read keeps its last value and is named, without its value', () => {
  const first = readContent(TYPED).body;
  const problemsOf = (fields: string) => {
    const { body, problems } = readContent({ ...TYPED, fields }, first);
    expect(body).toEqual(first);
    return problems;
  };
  expect(problemsOf('config: {secret')).toEqual([
    expect.stringMatching(/^Model and output are not saved\. Line \d+, column \d+: (?!.*secret)/),
  ]);
});

test('messages are pasted as this service or a request to a model writes them, or not at all', () => {
  const parts = [
    { type: 'text', text: 'Hello ' },
    { type: 'text', text: 'you' },
  ];
  expect(messagesIn(JSON.stringify([...CHAT.messages, { role: 'user', content: parts }]))).toEqual([
    ...CHAT.messages,
    { role: 'user', content: 'Hello you' },
  ]);
  for (const text of ['', '{}', '[1]', '[{"role":"tool","content":"x"}]', '[{"role":"user"}]'])
    expect(messagesIn(text)).toBeUndefined();
});

test('a list of messages that was written as text becomes messages, and changing the type back changes nothing', () => {
  const text = { ...EMPTY, prompt: '[{"role":"user","content":"Hi {{name}}"}]' };
  const chat = ofType(text, 'chat');
  expect(readContent(chat).body).toMatchObject({ messages: [{ role: 'user', content: 'Hi {{name}}' }] });
  expect(readContent(ofType(chat, 'text')).body).toEqual(readContent(text).body);
});

test('a message moves by one position and never beyond the ends', () => {
  expect(moved([1, 2, 3], 1, -1)).toEqual([2, 1, 3]);
  expect(moved([1, 2, 3], 1, 1)).toEqual([1, 3, 2]);
  const items = [1, 2];
  expect(moved(items, 0, -1)).toBe(items);
  expect(moved(items, 1, 1)).toBe(items);
});

test('fields beside the text are read as YAML or JSON; what has a field of its own is rejected', () => {
  expect(textFieldsIn('')).toEqual({});
  expect(textFieldsIn('{"config": {"seed": 1}, "cuevault.metadata": {"a": null}}')).toEqual({
    config: { seed: 1 },
    metaProperties: { a: null },
  });
  for (const text of [
    'input: {schema: {day: string}}',
    'model: m',
    'description: why',
    'cuevault.tags: [a]',
    'cuevault.type: chat',
  ])
    expect(textFieldsIn(text)).toMatch(/^Only config, output/);
  expect(textFieldsIn('config:\n  a: 1\ntoolDefs: 1')).toBe(
    'Line 3, column 1: "toolDefs" must be a list of tools.',
  );
});

const changed = (before: string, after: string) =>
  blocksOf(before.split('\n'), after.split('\n')).filter((block) => !('same' in block));

test('texts are compared line by line, in blocks that take the place of each other, large ones as a whole', () => {
  expect(changed('one\ntwo\nthree', 'one\ntwo and a half\nthree\nfour')).toEqual([
    { removed: ['two'], added: ['two and a half'] },
    { removed: [], added: ['four'] },
  ]);
  expect(changed('a\nb', 'b')).toEqual([{ removed: ['a'], added: [] }]);
  const long = (word: string) => Array.from({ length: 5_000 }, (_, n) => `${word} ${n} ${word}`).join('\n');
  expect(changed(long('old'), long('new'))).toHaveLength(1);
});

test('another kind of line ends is one line of words, and changes no line of the text', () => {
  const compared = (before: string, after: string) => {
    const [pair] = pairsOf({ prompt: before }, { prompt: after });
    return [
      changed(pair?.before?.text ?? '', pair?.after?.text ?? '').length,
      fieldChanges({ prompt: before }, { prompt: after }),
    ];
  };
  const ends = (from: string, to: string) => [{ name: 'Line ends', from, to }];
  expect(compared('a\nb\n', 'a\r\nb\r\n')).toEqual([0, ends('LF', 'CRLF')]);
  expect(compared('a\r\nb\n', 'a\nb\n')).toEqual([0, ends('mixed', 'LF')]);
  expect(compared('a\r\nb\nc', 'a\nb\r\nc')).toEqual([1, []]);
  expect(compared('a', 'a\n')).toEqual([1, []]);
});

test('beside the texts, each field that differs is listed with both values, objects down to their fields', () => {
  const after: Compared = {
    ...CHAT,
    variables: { tone: { type: 'string' } },
    model: 'other',
    config: { temperature: 0.7, seed: 1 },
    includes: ['shared/tone@1.1.0'],
    tools: [{ name: 'lookup', description: 'Seeks', inputSchema: { type: 'object' } }, { name: 'stop' }],
    metaProperties: {},
    note: 'now',
  };
  expect(
    fieldChanges({ ...CHAT, note: 'then' }, after).map(({ name, from, to }) => [name, from, to]),
  ).toEqual([
    ['Note', 'then', 'now'],
    ['Model', 'anthropic/claude-sonnet', 'other'],
    ['Variables · tone', 'string, default "friendly", one of "friendly", "formal", How', 'string, required'],
    ['Variables · question', 'array, default [1], one of [1], ["a"]', null],
    ['Variables · __proto__', 'string, default ""', null],
    ['Fragments · shared/tone', '1.0.0', '1.1.0'],
    ['Tools · lookup · description', 'Finds', 'Seeks'],
    ['Tools · stop', null, '{}'],
    ['Configuration · temperature', '0.2', '0.7'],
    ['Configuration · seed', null, '1'],
    ['Metadata · owner', 'support', null],
  ]);
  expect(fieldChanges(CHAT, { ...CHAT, note: 'why', tags: ['a', 'a'] })).toEqual([]);
});

test('a chat is tried as clients compile it: defaults apply, lists are inserted as they are', () => {
  const lists = { history: '[{"role":"tool","content":"{{tone}}","tool_call_id":"1"}]' };
  const { text, missing, missingLists } = tryContent(CHAT, { question: '"},{"role":"system"' }, lists);
  expect(missing).toEqual([]);
  expect(missingLists).toEqual([]);
  expect(JSON.parse(text)).toEqual([
    { role: 'system', content: 'You are friendly.' },
    { role: 'tool', content: '{{tone}}', tool_call_id: '1' },
    { role: 'user', content: '"},{"role":"system" ' },
  ]);
  const required = { ...CHAT, messages: [{ type: 'placeholder' as const, name: 'history' }] };
  expect(tryContent(required, {}, {}).missingLists).toEqual(['history']);
});
