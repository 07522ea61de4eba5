import type { ErrorCode } from '../../../contract/http/errors.ts';
import { connectChatCompletions } from '../../../lambdas/store/models/chat-completions.ts';
import { tryPrompt } from '../../../lambdas/store/models/try-prompt.ts';
import { countCall } from '../../../lambdas/store/operators/counted-calls.ts';
import { ask, refused } from '../../support/admin.ts';
import { startModel } from '../../support/model.ts';
import { operatorIdOf } from '../../support/operators.ts';
import { allItems, changeAt, expectRefused } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

const model = await startModel();
const { url, requests } = model;
withOwnInstance({ model: { url, key: 'MARKED-key' } });
afterAll(() => model.stop());

const CALL = { id: '1', type: 'function', function: { name: 'search', arguments: '{"q":"x"}' } };
const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'MARKED-answer <b>', tool_calls: [CALL] },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
};

beforeEach(() => {
  requests.length = 0;
  model.answer({ status: 200, body: ANSWER });
});

const user = (content: string) => ({ role: 'user', content }) as const;
const TRIAL = {
  model: 'stand-in',
  messages: [
    { role: 'developer', content: 'MARKED-instruction' },
    user('Hi'),
    { role: 'assistant', content: ' ' },
  ],
};
const tried = (more: object = {}) => ask('prompts-try', { ...TRIAL, ...more }, 'editor');

test('messages, tools and what every model takes are sent; the rest of the configuration is named, and tokens are bounded', async () => {
  const schema = { type: 'object' };
  const tool = { name: 'search', description: 'Finds' };
  const config = { temperature: 0, topP: 1, maxTokens: 9_999, stopSequences: ['END'], seed: 1, topK: 'x' };
  expect(await tried({ tools: [{ ...tool, inputSchema: schema }], config })).toEqual({
    answer: {
      text: 'MARKED-answer <b>',
      toolCalls: [{ name: 'search', input: '{"q":"x"}' }],
      inputTokens: 12,
      outputTokens: 3,
      stop: 'tool_calls',
    },
    ms: expect.any(Number),
    notSent: ['seed', 'topK'],
  });
  const body = {
    model: 'stand-in',
    messages: [{ role: 'system', content: 'MARKED-instruction' }, user('Hi')],
    max_tokens: 2_000,
    temperature: 0,
    top_p: 1,
    stop: ['END'],
    tools: [{ type: 'function', function: { ...tool, parameters: schema } }],
  };
  expect(requests).toEqual([{ path: '/v1/chat/completions', authorization: 'Bearer MARKED-key', body }]);
});

test('the audit log has who tried which prompt on which model, and no text is stored or logged', async () => {
  const { promptId, name } = await aPrompt();
  await tried();
  await tried({ promptId });
  const { entries } = await ask('audit-list', { action: 'prompt.tried' });
  const known = { actor: 'editor@example.com', details: { model: 'stand-in' } };
  expect(entries.slice(0, 2)).toMatchObject([
    { ...known, subject: promptId, name },
    { ...known, subject: 'new prompt' },
  ]);
  expect(JSON.stringify(await allItems(instance.table)) + instance.logs.join('')).not.toContain('MARKED');
});

test('what the service refuses is shown, and neither text nor key follows a redirection', async () => {
  model.answer({ status: 429, body: { error: { message: 'You have no quota' } } });
  const { failure, answer } = await tried();
  expect(failure).toContain('status 429: {"error":{"message":"You have no quota"}}');
  expect(answer).toBeUndefined();
  model.answer({ status: 307, body: {}, location: `${url}/elsewhere` });
  expect((await tried()).failure).toContain('redirect');
  model.answer({ status: 200, body: { choices: 'none' } });
  expect((await tried()).failure).toBeDefined();
  expect(requests.map(({ path }) => path)).toEqual(Array(3).fill('/v1/chat/completions'));
});

test('a trial sends at most 64 KB: a larger one is refused and not sent', async () => {
  const room = 65_536 - JSON.stringify({ model: 'm', messages: [user('')] }).length;
  const trial = (bytes: number) => ({ model: 'm', messages: [user('x'.repeat(bytes))] });
  expect(await ask('prompts-try', trial(room))).toHaveProperty('answer');
  await refused('prompts-try', 'body_too_large', trial(room + 1));
  expect(requests).toHaveLength(1);
});

test('a call that takes too long is given up', async () => {
  model.answer(undefined);
  const request = { model: 'm', messages: [], tools: [], inference: { maxTokens: 1 } };
  const asked = connectChatCompletions(url, undefined)(request, AbortSignal.timeout(1));
  await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a text that is empty, a role that is unknown and a prompt that does not exist are refused before anything is sent', async () => {
  const refusal = (code: ErrorCode, more: object) => refused('prompts-try', code, { ...TRIAL, ...more });
  expect(await refusal('invalid_request', { messages: [user('\n')] })).toContain('not empty');
  await refusal('invalid_request', { messages: [{ role: 'tool', content: 'x' }] });
  await refusal('prompt_not_found', { promptId: 'prm_none' });
  expect(requests).toEqual([]);
});

test('no model is asked that is not offered, or while the audit log cannot be written', async () => {
  const ask = connectChatCompletions(url, undefined);
  const trying = (model: string, ids?: string[]) =>
    tryPrompt(instance.table, { ask, ...(ids && { ids }) }, changeAt(), { model, messages: [user('Hi')] });
  await expectRefused(trying('c', ['a', 'b']), 'invalid_request', '"model" must be one of a, b.');
  await expectRefused(trying('a', []), 'invalid_request', 'No models are set up');
  // No row has so many bytes.
  await expect(trying('x'.repeat(500_000))).rejects.toThrow();
  expect(requests).toEqual([]);
});

test('an operator tries 20 times a minute, however many calls come at once', async () => {
  const bound = { period: 'minute', most: 20, sentence: 'Too many' } as const;
  const at = new Date('2026-03-10T12:00:59.000Z');
  const calls = Array.from({ length: 22 }, () => countCall(instance.table, 'op', at, bound));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  await countCall(instance.table, 'op', new Date('2026-03-10T12:01:00.000Z'), bound);
  const operatorId = await operatorIdOf(instance);
  // The next minute may begin meanwhile.
  for (const minutes of [0, 1]) {
    const now = new Date(Date.now() + minutes * 60_000);
    await Promise.allSettled(calls.map(() => countCall(instance.table, operatorId, now, bound)));
  }
  expect(await refused('prompts-try', 'rate_limited', TRIAL)).toContain('20 times in this minute');
});
