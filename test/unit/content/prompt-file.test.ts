import fc from 'fast-check';
import { type Content, type Message, ROLES, VARIABLE_TYPES } from '../../../contract/content/content.ts';
import { parsePromptFile, printPromptFile } from '../../../contract/content/file/prompt-file.ts';
import { canonicalContent, shortest } from '../../../contract/content/hash.ts';
import { anyText } from '../../support/random.ts';
import { scaled } from '../../support/sampled.ts';
import { type Json, vectorsIn } from '../../support/vectors.ts';

const VECTORS = vectorsIn('prompt-files');

const CHAT: Content = {
  type: 'chat',
  messages: [
    { role: 'system', content: 'You are {{tone}}.\n\nReply with {"a": {"b": 1}}.' },
    { type: 'placeholder', name: 'history', optional: true },
    { role: 'user', content: '{{ question }}' },
    { role: 'assistant', content: 'no' },
  ],
  variables: {
    tone: { type: 'string', enum: ['friendly', 'no'], default: 'friendly', description: 'How to answer' },
    question: { type: 'string' },
  },
  model: 'anthropic/claude-sonnet',
  config: { temperature: 0.2, stopSequences: ['012', '12:30', 'no', '2024-01-01'] },
  output: { schema: { type: 'object', properties: { a: { type: 'string' } } } },
  tools: [{ name: 'lookup', description: 'Looks up', inputSchema: { type: 'object' } }],
  includes: ['shared/tone@1.2.0'],
  tags: ['support'],
  metaProperties: { owner: 'web' },
};

const FILE = `---
description: Answers customers
model: anthropic/claude-sonnet
config:
  temperature: 0.2
  stopSequences:
    - "012"
    - "12:30"
    - "no"
    - "2024-01-01"
input:
  schema:
    type: object
    properties:
      tone:
        type: string
        enum:
          - friendly
          - "no"
        description: How to answer
      question:
        type: string
    required:
      - question
  default:
    tone: friendly
output:
  schema:
    type: object
    properties:
      a:
        type: string
toolDefs:
  - name: lookup
    description: Looks up
    inputSchema:
      type: object
cuevault.tags:
  - support
cuevault.metadata:
  owner: web
cuevault.includes:
  - shared/tone@1.2.0
---
{{role "system"}}
You are {{tone}}.

Reply with {"a": {"b": 1}}.
{{history "history" optional=true}}
{{role "user"}}
{{ question }}
{{role "model"}}
no
`;

test('a content is written as people would write it, and read again as the same', () => {
  expect(printPromptFile({ content: CHAT, description: 'Answers customers' })).toBe(FILE);
  expect(parsePromptFile(FILE)).toEqual({ content: shortest(CHAT), description: 'Answers customers' });
});

test.each<Json>(VECTORS.printed)(
  'what a body cannot hold is an escape in it: $title',
  ({ content, file }) => {
    expect(printPromptFile({ content })).toBe(file);
    expect(parsePromptFile(file).content).toEqual(content);
  },
);

test.each<Json>(VECTORS.read)('is read: $title', ({ file, content, description }) => {
  expect(parsePromptFile(file)).toEqual({ content, ...(description && { description }) });
});

test.each<Json>(VECTORS.refused)('is refused with its place: $title', ({ file, line, message }) => {
  expect(() => parsePromptFile(file)).toThrow(
    expect.objectContaining({ line, message: expect.stringContaining(message) }),
  );
});

const awkward = fc.constantFrom(
  'no',
  '012',
  '12:30',
  '2024-01-01',
  '1_000',
  '~',
  '0x1F',
  '1e3',
  '<<',
  '---',
  '- a',
  '# a',
  '&a',
  '*a',
  '!a',
  '{{',
  '}}',
  '{{a}}',
  '{{ b }}',
  '{{role "user"}}',
  '{{history}}',
  '{{#each}}',
  '\\',
  '\r',
  '\n',
  ' ',
  '\t',
  '\ufeff',
  '\u2028',
  '\u000b',
  '\\u2028',
  '\\u',
);
const awkwardText = fc.oneof(
  awkward,
  fc.string(),
  anyText,
  fc.array(awkward).map((all) => all.join('')),
);
const filled = awkwardText.filter((text) => text !== '');
const json = fc.jsonValue({ depthSize: 'small' });
const data = fc.dictionary(filled, fc.oneof(json, awkwardText), { maxKeys: 4 });
const declaration = fc.record(
  {
    type: fc.constantFrom(...VARIABLE_TYPES),
    description: awkwardText,
    enum: fc.array(json, { minLength: 1 }),
    default: json,
  },
  { requiredKeys: ['type'] },
);
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constantFrom(...ROLES), content: filled }),
  fc.record(
    { type: fc.constant('placeholder' as const), name: filled, optional: fc.boolean() },
    { requiredKeys: ['type', 'name'] },
  ),
);
const tool = fc.record(
  { name: filled, description: awkwardText, inputSchema: data },
  { requiredKeys: ['name'] },
);
const rest = {
  variables: fc.dictionary(filled, declaration, { maxKeys: 3 }),
  model: filled,
  config: data,
  output: fc.record({ schema: data }),
  tools: fc.array(tool, { maxLength: 2 }),
  includes: fc.array(filled, { maxLength: 2 }),
  tags: fc.array(awkwardText, { maxLength: 3 }),
  metaProperties: data,
};
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const fields = fc.record(
  Object.fromEntries(
    Object.entries(rest).map(([name, each]) => [name, optional(each as fc.Arbitrary<unknown>)]),
  ),
);
const content = fc
  .tuple(
    fc.oneof(
      fc.record({ prompt: filled }),
      fc.record({
        type: fc.constant('chat' as const),
        messages: fc.array(message, { minLength: 1, maxLength: 4 }),
      }),
    ),
    fields,
  )
  .map(([body, others]) => JSON.parse(JSON.stringify({ ...others, ...body })) as Content);

test('any content comes back from its file exactly, also with CRLF and a byte order mark', () => {
  fc.assert(
    fc.property(content, optional(filled), (written, description) => {
      const file = printPromptFile({ content: written, description });
      for (const text of [file, `\ufeff${file.replaceAll('\n', '\r\n')}`]) {
        const read = parsePromptFile(text);
        expect(canonicalContent(read.content)).toBe(canonicalContent(written));
        expect(read.description).toBe(description);
      }
    }),
    { numRuns: scaled(1_000, 50) },
  );
});

const front = (yaml: string, body = 'Hello') => `---\n${yaml}\n---\n${body}`;

test.each([
  ['a: 1', 2, 1, '"a" is not supported'],
  ['model: m\nmodel: n', 3, 1, 'Map keys must be unique'],
  ['config:\n  a: &x 1', 3, 9, 'Anchors and aliases'],
  ['config:\n  a: !!str 1', 3, 12, 'Tags are not supported'],
  ['config:\n  a: no', 3, 6, 'YAML 1.1 reads "no" differently'],
  ['config:\n  on: 1', 3, 3, 'YAML 1.1 reads "on" differently'],
  ['config: [012, 1]', 2, 10, 'YAML 1.1 reads "012" differently'],
  ['config: {a: 12:30}', 2, 13, 'YAML 1.1 reads "12:30" differently'],
  ['config:\n  a: 2024-01-01', 3, 6, 'YAML 1.1 reads "2024-01-01" differently'],
  ['config:\n  <<: {a: 1}', 3, 3, 'YAML 1.1 reads "<<" differently'],
  ['config:\n  a: 0o14', 3, 6, 'YAML 1.1 reads "0o14" differently'],
  ['config:\n  a: 9007199254740993', 3, 6, 'would be rounded'],
  ['config:\n  a: .inf', 3, 6, 'JSON has no such number'],
  ['config:\n  1: a', 3, 3, 'Keys must be strings'],
  ['config: 1', 2, 1, '"config" must be a mapping'],
  ['tools: [lookup]', 2, 1, '"tools" is not supported'],
  ['output:\n  format: text', 3, 3, 'The only format is json'],
  ['output:\n  schema: Foo', 3, 3, '"Foo" is not a type'],
  ['toolDefs:\n  - name: a\n    outputSchema: {}', 4, 5, '"outputSchema" is not supported here'],
  ['input:\n  schema:\n    a: string\n    b(array): string', 5, 5, 'not with "items"'],
  ['input:\n  schema:\n    a?: string', 4, 5, '"a" is optional, so it needs a default'],
  ['cuevault.type: text', 5, 4, 'A text prompt has no roles', 'a\n   {{ role "user" }}'],
  ['model: m', 4, 7, 'Only variables, roles', 'Hello {{#if a}}'],
  ['model: m', 5, 2, 'Only variables, roles', 'a\n {{json a}}'],
  ['model: m', 4, 1, 'Only variables, roles', '{{> "shared/tone"}}'],
  ['model: m', 4, 1, '"tool" is not a role', '{{role "tool"}}'],
  ['model: m', 4, 22, 'Text after a history', '{{history "history"}} more'],
])('%j is refused at line %d, column %d', (yaml, line, column, problem, body = 'Hello') => {
  expect(() => parsePromptFile(front(yaml, body))).toThrow(
    expect.objectContaining({ line, column, message: expect.stringContaining(problem) }),
  );
});

test.each([
  [
    'roles, where the assistant is called model',
    '{{role "system"}}a\n{{role "user"}}b\n{{role "model"}}c',
    ['system: a', 'user: b', 'assistant: c'],
  ],
  [
    'text before the first role, from the user',
    'Hi {{name}}\n{{role "model"}}c',
    ['user: Hi {{name}}', 'assistant: c'],
  ],
  [
    'a history without a name',
    '{{role "system"}}a\n{{history}}\n{{role "user"}}b',
    ['system: a', '[history]', 'user: b'],
  ],
  ['roles without text', '{{role "system"}}{{role "user"}}b', ['user: b']],
  ['spaces inside the braces', '{{ role   "user" }}b', ['user: b']],
])('a body has %s', (_title, body, expected) => {
  const { content } = parsePromptFile(body);
  const messages = content.type === 'chat' ? content.messages : [];
  expect(
    messages.map((each) => ('role' in each ? `${each.role}: ${each.content}` : `[${each.name}]`)),
  ).toEqual(expected);
});

test('a short schema of the input declares variables, and a default alone declares its type', () => {
  const file = front(
    'input:\n  schema:\n    a: string, an a\n    b?(enum, one): [x, z]\n    count: integer\n  default:\n    b: x\n    list: [1]',
  );
  expect(parsePromptFile(file).content.variables).toEqual({
    a: { type: 'string', description: 'an a' },
    b: { type: 'string', enum: ['x', 'z'], description: 'one', default: 'x' },
    count: { type: 'integer' },
    list: { type: 'array', default: [1] },
  });
});

test.each([
  ['string', { type: 'string' }],
  ['number,  a b, c', { type: 'number', description: 'a b, c' }],
  [
    '{a: boolean, b?: string}',
    {
      type: 'object',
      properties: { a: { type: 'boolean' }, b: { type: ['string', 'null'] } },
      additionalProperties: false,
      required: ['a'],
    },
  ],
  [
    '{"a(array, all)": "string, one"}',
    {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string', description: 'one' }, description: 'all' } },
      additionalProperties: false,
      required: ['a'],
    },
  ],
  [
    '{"a?(object, o)": {b: any}}',
    {
      type: 'object',
      properties: {
        a: {
          type: ['object', 'null'],
          properties: { b: {} },
          additionalProperties: false,
          required: ['b'],
          description: 'o',
        },
      },
      additionalProperties: false,
    },
  ],
  ['{"(*)": number}', { type: 'object', properties: {}, additionalProperties: { type: 'number' } }],
  ['{properties: {a: {type: string}}}', { type: 'object', properties: { a: { type: 'string' } } }],
  ['{type: string}', { type: 'string' }],
])('the schema of the output %s is JSON schema', (schema, expected) => {
  expect(parsePromptFile(front(`output:\n  schema: ${schema}`)).content.output).toEqual({ schema: expected });
});

test('a file whose front matter would keep the parser busy is refused before it is parsed', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: v\n`).join('');
  expect(() => parsePromptFile(`---\n${keys(50_000)}---\n`)).toThrow('more than 10000 entries');
  const lists = '[],{},'.repeat(20_000);
  expect(() => parsePromptFile(`---\nconfig: [${lists}]\n---\n`)).toThrow('more than 10000 entries');
  expect(() => parsePromptFile('x'.repeat(1_048_577))).toThrow('at most 1048576 bytes');
});
