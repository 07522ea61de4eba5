import { breakingChanges } from '../../../contract/content/breaking.ts';
import type { Content, TextContent, VariableDeclaration } from '../../../contract/content/content.ts';

const text = (prompt: string, rest: Partial<TextContent> = {}): Content => ({ prompt, ...rest });
const chat = (...messages: Extract<Content, { type: 'chat' }>['messages']): Content => ({
  type: 'chat',
  messages,
});
const ofX = (x: VariableDeclaration) => text('{{x}}', { variables: { x } });
const history = (optional?: boolean) => ({ type: 'placeholder' as const, name: 'history', optional });
const lookup = { name: 'lookup', inputSchema: { type: 'object', required: ['id'] } };

test.each<[string, Content, Content, object[]]>([
  [
    'the type of the prompt',
    text('a'),
    chat({ role: 'user', content: 'a' }),
    [{ kind: 'type-changed', from: 'text', to: 'chat' }],
  ],
  ['a new variable that nobody declares', text('a'), text('{{x}}'), [{ kind: 'variable-added', name: 'x' }]],
  ['a removed variable', text('{{x}}'), text('a'), [{ kind: 'variable-removed', name: 'x' }]],
  [
    'another type',
    text('{{x}}'),
    ofX({ type: 'number' }),
    [{ kind: 'variable-retyped', name: 'x', from: 'string', to: 'number' }],
  ],
  [
    'fewer values',
    ofX({ type: 'string', enum: ['a', 'b'] }),
    ofX({ type: 'string', enum: ['a', 'c'] }),
    [{ kind: 'enum-narrowed', name: 'x', removed: ['b'] }],
  ],
  [
    'values where any was allowed',
    text('{{x}}'),
    ofX({ type: 'string', enum: ['a'] }),
    [{ kind: 'enum-narrowed', name: 'x' }],
  ],
  [
    'a default that is gone',
    ofX({ type: 'string', default: 'a' }),
    text('{{x}}'),
    [{ kind: 'default-removed', name: 'x' }],
  ],
  [
    'a placeholder that is now required',
    chat(history(true)),
    chat(history()),
    [{ kind: 'placeholder-required', name: 'history' }],
  ],
  [
    'a new placeholder, once',
    chat({ role: 'user', content: 'a' }),
    chat(history(), history()),
    [{ kind: 'placeholder-required', name: 'history' }],
  ],
  [
    'tools',
    text('a', { tools: [{ name: 'old' }, lookup] }),
    text('a', { tools: [{ name: 'new' }, { ...lookup, inputSchema: { type: 'object' } }] }),
    [
      { kind: 'tool-removed', name: 'old' },
      { kind: 'tool-changed', name: 'lookup' },
      { kind: 'tool-added', name: 'new' },
    ],
  ],
])('callers can break on %s', (_title, before, after, expected) => {
  expect(breakingChanges(before, after)).toEqual(expected);
});

test.each<[string, Content, Content]>([
  ['a new variable with a default', text('a'), ofX({ type: 'array', default: [] })],
  ['a declaration of what callers send anyway', text('{{x}}'), ofX({ type: 'string', description: 'An x' })],
  [
    'an enum with more values',
    ofX({ type: 'object', enum: [{ a: 1, b: 2 }] }),
    ofX({ type: 'object', enum: [{ b: 2, a: 1 }, {}] }),
  ],
  ['an integer that may have a fraction', ofX({ type: 'integer' }), ofX({ type: 'number' })],
  [
    'another text, model, configuration and tags',
    text('a {{x}}'),
    text('b {{x}}', { model: 'm', config: { a: 1 }, tags: ['t'] }),
  ],
  ['an optional placeholder', chat(history()), chat(history(true))],
  [
    'tools in another order, with defaults written out',
    text('a', { tools: [lookup, { name: 'b' }] }),
    text('a', {
      tools: [
        { name: 'b', description: '', inputSchema: {} },
        { inputSchema: { required: ['id'], type: 'object' }, name: 'lookup' },
      ],
    }),
  ],
])('callers do not break on %s', (_title, before, after) => {
  expect(breakingChanges(before, after)).toEqual([]);
});
