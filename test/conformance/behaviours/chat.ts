// Chats: their messages, the configuration of the model, and lists of messages.
import type { Behaviour } from '../behaviour.ts';

const CONTENT = {
  messages: [
    { role: 'system', content: 'Be {{tone}}.' },
    { type: 'placeholder', name: 'history' },
    { role: 'user', content: '{{question}}' },
  ],
  model: 'openai/gpt-5',
  config: { temperature: 0.2 },
  output: { schema: { type: 'object' } },
  tools: [{ name: 'lookup' }],
  includes: [{ name: 'shared/tone', version: '1.2.0', contentHash: 'sha256:0' }],
};
const DECLARED = { tone: { type: 'string', default: 'kind' } };
const CHAT = {
  ...CONTENT,
  type: 'chat',
  promptId: 'prm_1',
  name: 'chat',
  version: '1.0.0',
  tags: [],
  metaProperties: {},
  prompt: JSON.stringify(CONTENT.messages),
  variables: DECLARED,
};

const chat = (more: object = {}) => ({ op: 'prompts.get', args: { name: 'chat', ...more } }) as const;
const GET = chat();
const COMPILED = chat({ variables: { question: 'Why?' }, placeholders: { history: [] } });
const WHOLE = {
  ...CONTENT,
  variables: ['tone', 'question'],
  declarations: DECLARED,
  compiledMessages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Why?' },
  ],
};

const MISTAKES: readonly (readonly [object, string])[] = [
  [{}, 'The prompt needs messages for "history"'],
  [{ history: null }, 'The prompt needs messages for "history"'],
  [{ histroy: [] }, 'no placeholder for messages "histroy", only: "history".'],
  [{ history: 'hello' }, 'The placeholder "history" must be a list of message objects.'],
  [{ history: ['hello'] }, 'must be a list of message objects'],
  [{ history: [[]] }, 'must be a list of message objects'],
];

export const CHATS: readonly Behaviour[] = [
  {
    title: 'a chat has all of its content from the service and from the cache',
    always: { res: CHAT },
    steps: [
      { ...COMPILED, ok: { ...WHOLE, source: 'service' } },
      { ...COMPILED, ok: { ...WHOLE, source: 'cache' } },
      { ...GET, ok: { ...CONTENT, compiledMessages: null } },
    ],
    calls: 1,
  },
  {
    title: 'a text has neither messages nor configuration',
    steps: [
      {
        op: 'prompts.get',
        args: { name: 'greeting', variables: {} },
        ok: {
          messages: null,
          compiledMessages: null,
          model: null,
          output: null,
          config: {},
          tools: [],
          includes: [],
          declarations: {},
        },
      },
    ],
  },
  {
    title: 'a mistake in placeholders is an error that says what is wrong',
    always: { res: CHAT },
    steps: MISTAKES.map(([placeholders, sentence]) => ({
      ...chat({ placeholders }),
      error: { type: 'InvalidRequestError', message: expect.stringContaining(sentence) },
    })),
  },
  {
    title: 'a text has no lists, and a list that is null is none',
    steps: [
      {
        op: 'prompts.get',
        args: { name: 'greeting', placeholders: { history: [] } },
        error: { message: 'The prompt has no placeholder for messages "history".' },
      },
      {
        op: 'prompts.get',
        args: { name: 'greeting', version: '1.0.0', placeholders: { history: null } },
        ok: { compiledPrompt: 'Hello {{user}}!' },
      },
    ],
  },
  {
    title: 'a missing list has its own code, also if only variables are given',
    always: { res: CHAT },
    steps: [
      {
        ...chat({ variables: { question: '' } }),
        error: { type: 'InvalidRequestError', code: 'missing_placeholders' },
      },
    ],
  },
  {
    title: 'a fallback can be messages, or a text that needs none of the lists of the chat',
    client: { maxRetries: 0 },
    steps: [
      { service: 'down' },
      {
        ...chat({
          fallback: [{ role: 'user', content: 'Answer: {{question}}' }],
          variables: { question: 'Why?' },
        }),
        ok: { source: 'fallback', compiledMessages: [{ role: 'user', content: 'Answer: Why?' }] },
      },
      {
        ...chat({ fallback: 'Hi', placeholders: { history: [] } }),
        ok: { compiledPrompt: 'Hi', compiledMessages: null },
      },
    ],
  },
];
