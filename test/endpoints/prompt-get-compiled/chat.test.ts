import { ask } from '../../support/admin.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const HISTORY = { type: 'placeholder', name: 'history', optional: true };
const CHAT = {
  type: 'chat',
  messages: [
    { role: 'system', content: 'You are {{tone}}.' },
    HISTORY,
    { role: 'user', content: '{{question}}' },
  ],
  variables: {
    tone: { type: 'string', enum: ['friendly', 'formal'], default: 'friendly' },
    question: { type: 'string' },
  },
  model: 'anthropic/claude-sonnet',
  config: { temperature: 0.2 },
  output: { schema: { type: 'object' } },
  tools: [{ name: 'lookup', inputSchema: { type: 'object' } }],
  tags: ['support'],
  metaProperties: { owner: 'web' },
};

const publish = async (content: object) => {
  const { promptId, name } = await aPrompt(instance);
  const body = { ...content, version: '3.0.0', changeType: true };
  const { contentHash } = await ask(instance, 'versions-publish', { params: { promptId }, body });
  return { promptId, name, contentHash };
};
const get = (body: object) => instance.post('/api/prompt/get-compiled', body);

test('a chat is returned with its messages, and everything else that it has', async () => {
  const { promptId, name, contentHash } = await publish(CHAT);
  const prompt = JSON.stringify(CHAT.messages);
  expect((await get({ name })).json.res).toEqual({ ...CHAT, promptId, name, version: '3.0.0', prompt });
  const params = { promptId, version: '3.0.0' };
  expect((await ask(instance, 'versions-get', { params })).version).toMatchObject({
    ...CHAT,
    prompt,
    contentHash,
  });
});

test('strict refuses missing values and then values that do not fit, without quoting them', async () => {
  const { name } = await publish(CHAT);
  const strict = (variables: object) => get({ name, shouldCompile: true, strict: true, variables });
  expect(await strict({ tone: 'rude' })).toMatchObject({ status: 400, code: 'missing_variables' });
  const refused = await strict({ tone: 'rude', question: 7 });
  expect(refused).toMatchObject({ status: 400, code: 'invalid_variables' });
  expect(refused.json.err).toBe(
    'The variable "tone" must be "friendly" or "formal", not string; "question" must be string, not number. Correct "variables", or omit "strict".',
  );
  const lenient = await get({ name, shouldCompile: true, variables: { tone: 'rude', question: 7 } });
  expect(lenient.json.res.compiledMessages[2].content).toBe('7');
});

test('a text has the fields of the spec, and beyond them only what its version has', async () => {
  const extras = { config: { temperature: 1 }, variables: { a: { type: 'array', default: [] } } };
  const { promptId, name } = await publish({
    type: 'text',
    prompt: '{{a}}',
    ...extras,
    output: {},
    tools: [],
  });
  expect((await get({ name, shouldCompile: true })).json.res).toEqual({
    ...{ promptId, name, version: '3.0.0', tags: [], metaProperties: {} },
    ...{ prompt: '{{a}}', compiledPrompt: '[]', ...extras },
  });
});
