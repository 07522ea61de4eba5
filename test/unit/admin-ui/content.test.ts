import fc from 'fast-check';
import { moved } from '../../../admin-ui/src/features/prompts/editor/chat/moves.ts';
import {
  contentOf,
  EMPTY,
  ofType,
  readContent,
} from '../../../admin-ui/src/features/prompts/editor/content.ts';
import { messagesIn, toolsOf } from '../../../admin-ui/src/features/prompts/editor/fields/values.ts';
import { tryContent } from '../../../admin-ui/src/features/prompts/try-it/tried-chat.ts';
import { fieldChanges, partChanges } from '../../../admin-ui/src/features/prompts/versions/differences.ts';
import type { ChatContent, Message } from '../../../contract/content/content.ts';

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

const SAVED = {
  ...{
    ...CHAT,
    tags: ['a'],
    metaProperties: { owner: 'support' },
    tools: [...(CHAT.tools ?? [])],
    includes: [...(CHAT.includes ?? [])],
  },
  ...{
    prompt: JSON.stringify(CHAT.messages),
    note: 'why',
    contentHash: '',
    publishedAt: '',
    publishedBy: '',
  },
  ...{ promptId: 'p', version: '1.0.0' },
};

test('the editor returns a content exactly as it was', () => {
  const { body, problems } = readContent(contentOf({ ...SAVED, messages: [...CHAT.messages] }));
  expect(problems).toEqual([]);
  expect(body).toEqual({ ...CHAT, note: 'why' });
  expect(readContent({ ...EMPTY, prompt: 'Hi' }).body).toEqual({
    ...{ prompt: 'Hi', tags: [], metaProperties: {}, note: '' },
  });
});

test('a field that cannot be read keeps its last value and is named, without its value', () => {
  const first = readContent(contentOf({ ...SAVED, messages: [...CHAT.messages] })).body;
  const typed = contentOf({ ...SAVED, messages: [...CHAT.messages] });
  const variables = typed.variables.map((each) =>
    each.name === 'question' ? { ...each, default: '[' } : each,
  );
  const broken = { ...typed, variables, config: '{', tools: '[{}]', schema: '1', metadata: '[]' };
  const { body, problems } = readContent(broken, first);
  expect(body).toEqual(first);
  expect(problems).toEqual([
    'The configuration is not saved: it is not a JSON object.',
    'The output schema is not saved: it is not a JSON object.',
    'The list of tools is not saved: it is not a JSON array of tools.',
    'The variable question is not saved: the default is not of type array.',
    'The metadata is not saved: it is not a JSON object.',
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
  expect(toolsOf('[{"name":"a","extra":1}]')).toBeUndefined();
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

const anyMessage: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom('system' as const, 'user' as const),
  content: fc.constantFrom('a', 'b', 'c'),
});

test('the changes of messages have every message once, in both orders', () => {
  fc.assert(
    fc.property(fc.array(anyMessage), fc.array(anyMessage), (older, newer) => {
      const changes = partChanges({ type: 'chat', messages: older }, { type: 'chat', messages: newer });
      const texts = (side: 'before' | 'after') => changes.flatMap((each) => each[side]?.text ?? []);
      const written = (messages: readonly Message[]) =>
        messages.flatMap((each) => ('content' in each ? each.content : []));
      expect(texts('before')).toEqual(written(older));
      expect(texts('after')).toEqual(written(newer));
    }),
  );
});

test('an edited message is shown as changed, between its equal neighbors', () => {
  const messages = CHAT.messages.map((each) =>
    'role' in each && each.role === 'user' ? { ...each, content: 'Other' } : each,
  );
  const more: Message = { role: 'user', content: 'More' };
  const kinds = partChanges(CHAT, { ...CHAT, messages: [...messages, more] });
  expect(kinds.map(({ kind }) => kind)).toEqual(['same', 'same', 'changed', 'added']);
});

test('fields are compared by their paths', () => {
  const after = { ...CHAT, config: { temperature: '0.2' }, metaProperties: {}, model: 'other' };
  expect(fieldChanges(CHAT, CHAT)).toEqual([]);
  expect(fieldChanges(CHAT, after)).toEqual([
    { path: 'model', before: 'anthropic/claude-sonnet', after: 'other' },
    { path: 'config.temperature', before: '0.2', after: '"0.2"' },
    { path: 'metadata.owner', before: 'support' },
  ]);
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
