import { Readable } from 'node:stream';
import { connectBedrock } from '../../lambdas/store/models/bedrock.ts';
import { connectModels } from '../../lambdas/store/models/try-prompt.ts';

// The wire, as the API reference of Amazon Bedrock describes `Converse`.

interface Wire {
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array;
}

const sent: Wire[] = [];
const REPLY = {
  output: {
    message: {
      role: 'assistant',
      content: [
        { text: 'Hello' },
        { toolUse: { toolUseId: 't1', name: 'search', input: { q: 'x' } } },
        { text: '!' },
      ],
    },
  },
  stopReason: 'tool_use',
  usage: { inputTokens: 30, outputTokens: 9, totalTokens: 39 },
  metrics: { latencyMs: 551 },
};
let status = 200;
let errorType = '';
let body: object = REPLY;

const ask = connectBedrock({
  region: 'eu-central-1',
  credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  requestHandler: {
    handle: async (request: Wire) => {
      sent.push(request);
      const headers = { 'content-type': 'application/json', 'x-amzn-errortype': errorType };
      return { response: { statusCode: status, headers, body: Readable.from([JSON.stringify(body)]) } };
    },
  } as never,
});

const request = {
  model: 'eu.amazon.nova-lite-v1:0',
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hi' },
    { role: 'user', content: 'Are you there?' },
    { role: 'assistant', content: 'Yes' },
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'Good' },
  ],
  tools: [{ name: 'search', description: 'Finds', inputSchema: { type: 'object' } }, { name: 'stop' }],
  inference: { maxTokens: 100, temperature: 0.5, topP: 0.9 },
} as const;

test('the request is that of Converse: roles take turns, instructions are apart, each tool has a schema', async () => {
  expect(
    await ask(
      { ...request, inference: { ...request.inference, stopSequences: ['END'] } },
      AbortSignal.timeout(9_000),
    ),
  ).toEqual({
    text: 'Hello!',
    toolCalls: [{ name: 'search', input: '{"q":"x"}' }],
    inputTokens: 30,
    outputTokens: 9,
    stop: 'tool_use',
  });
  const [{ method, path, body: json } = { method: '', path: '', body: new Uint8Array() }] = sent;
  expect([method, path]).toEqual(['POST', '/model/eu.amazon.nova-lite-v1%3A0/converse']);
  expect(JSON.parse(new TextDecoder().decode(json))).toEqual({
    messages: [
      { role: 'user', content: [{ text: 'Hi' }, { text: 'Are you there?' }] },
      { role: 'assistant', content: [{ text: 'Yes' }] },
      { role: 'user', content: [{ text: 'Good' }] },
    ],
    system: [{ text: 'Be kind.' }, { text: 'Be brief.' }],
    inferenceConfig: { maxTokens: 100, temperature: 0.5, topP: 0.9, stopSequences: ['END'] },
    toolConfig: {
      tools: [
        { toolSpec: { name: 'search', description: 'Finds', inputSchema: { json: { type: 'object' } } } },
        { toolSpec: { name: 'stop', inputSchema: { json: { type: 'object' } } } },
      ],
    },
  });
});

test('what Bedrock refuses is told by name, and a call is not repeated: each is billed', async () => {
  status = 429;
  errorType = 'ThrottlingException';
  body = { message: 'Too many tokens' };
  sent.length = 0;
  await expect(
    ask({ ...request, tools: [], inference: { maxTokens: 1 } }, AbortSignal.timeout(9_000)),
  ).rejects.toThrow('Too many tokens');
  expect(sent).toHaveLength(1);
  expect(JSON.parse(new TextDecoder().decode(sent[0]?.body))).not.toHaveProperty('toolConfig');
});

test('of an error that can name the account and its roles, only the name is told', async () => {
  status = 403;
  errorType = 'AccessDeniedException';
  body = { message: 'User: arn:aws:sts::111122223333:assumed-role/x is not authorized' };
  await expect(ask(request, AbortSignal.timeout(9_000))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: 'Amazon Bedrock gave no answer. `npm run doctor` checks the models.',
  });
});

test('the environment names the models of Bedrock, and without any there are none', () => {
  expect(connectModels({ CUEVAULT_MODELS: 'a.b,eu.a.b' })).toMatchObject({ ids: ['a.b', 'eu.a.b'] });
  expect(connectModels({})).toMatchObject({ ids: [] });
  expect(connectModels({ CUEVAULT_MODEL_URL: 'http://localhost:1/v1' })).not.toHaveProperty('ids');
});
