import { connectChatCompletions } from '../../../lambdas/store/models/chat-completions.ts';
import { countCall } from '../../../lambdas/store/operators/counted-calls.ts';
import { ask, refused } from '../../support/admin.ts';
import { startModel } from '../../support/model.ts';
import { allItems } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

const model = await startModel();
const { url, requests } = model;
withOwnInstance({ model: { url, key: 'MARKED-key' } });
afterAll(() => model.stop());

const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'MARKED-answer <b>',
        tool_calls: [{ id: '1', type: 'function', function: { name: 'search', arguments: '{"q":"x"}' } }],
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
};

beforeEach(() => {
  requests.length = 0;
  model.answer({ status: 200, body: ANSWER });
});

const TRIAL = {
  model: 'stand-in',
  messages: [
    { role: 'developer', content: 'MARKED-instruction' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: ' ' },
  ],
};

test('messages, tools and what every model takes are sent; the rest of the configuration is named, and tokens are bounded', async () => {
  const body = {
    ...TRIAL,
    tools: [{ name: 'search', description: 'Finds', inputSchema: { type: 'object' } }],
    config: { temperature: 0.5, topP: 1, maxTokens: 9_999, stopSequences: ['END'], seed: 1, topK: 'x' },
  };
  expect(await ask(instance, 'prompts-try', { groups: ['editor'], body })).toEqual({
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
  expect(requests).toEqual([
    {
      path: '/v1/chat/completions',
      authorization: 'Bearer MARKED-key',
      body: {
        model: 'stand-in',
        messages: [
          { role: 'system', content: 'MARKED-instruction' },
          { role: 'user', content: 'Hi' },
        ],
        max_tokens: 2_000,
        temperature: 0.5,
        top_p: 1,
        stop: ['END'],
        tools: [
          {
            type: 'function',
            function: { name: 'search', description: 'Finds', parameters: { type: 'object' } },
          },
        ],
      },
    },
  ]);
});

test('the audit log has who tried which prompt on which model, and no text is stored or logged', async () => {
  const { promptId, name } = await aPrompt(instance);
  await ask(instance, 'prompts-try', { body: { ...TRIAL, promptId } });
  const { entries } = await ask(instance, 'audit-list', { query: { action: 'prompt.tried' } });
  expect(entries[0]).toMatchObject({ subject: promptId, name, details: { model: 'stand-in' } });
  expect(entries[1]).toMatchObject({ subject: 'new prompt' });
  expect(JSON.stringify(await allItems(instance.table)) + instance.logs.join('')).not.toContain('MARKED');
});

test('what the service refuses is shown, and neither text nor key follows a redirection', async () => {
  model.answer({ status: 429, body: { error: { message: 'You have no quota' } } });
  const { failure, answer } = await ask(instance, 'prompts-try', { body: TRIAL });
  expect([failure, answer]).toEqual([
    expect.stringContaining('status 429: {"error":{"message":"You have no quota"}}'),
    undefined,
  ]);
  model.answer({ status: 307, body: {}, location: `${url}/elsewhere` });
  expect((await ask(instance, 'prompts-try', { body: TRIAL })).failure).toContain('redirect');
  model.answer({ status: 200, body: { choices: 'none' } });
  expect((await ask(instance, 'prompts-try', { body: TRIAL })).failure).toBeDefined();
  expect(requests.map(({ path }) => path)).toEqual(Array(3).fill('/v1/chat/completions'));
});

test('a trial sends at most 64 KB: a larger one is refused and not sent', async () => {
  const bodyOf = (bytes: number) => {
    const body = { model: 'm', messages: [{ role: 'user', content: '' }] };
    const content = 'x'.repeat(bytes - JSON.stringify(body).length);
    return { ...body, messages: [{ role: 'user', content }] };
  };
  expect(await ask(instance, 'prompts-try', { body: bodyOf(65_536) })).toHaveProperty('answer');
  await refused(instance, 'prompts-try', 'body_too_large', { body: bodyOf(65_537) });
  expect(requests).toHaveLength(1);
});

test('a call that takes too long is given up', async () => {
  const request = { model: 'm', messages: [], tools: [], inference: { maxTokens: 1 } };
  const asked = connectChatCompletions(url, undefined)(request, AbortSignal.timeout(1));
  await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a text that is empty, a role that is unknown and a prompt that does not exist are refused before anything is sent', async () => {
  const empty = { ...TRIAL, messages: [{ role: 'user', content: '\n' }] };
  expect(await refused(instance, 'prompts-try', 'invalid_request', { body: empty })).toContain('not empty');
  const tool = { ...TRIAL, messages: [{ role: 'tool', content: 'x' }] };
  await refused(instance, 'prompts-try', 'invalid_request', { body: tool });
  await refused(instance, 'prompts-try', 'prompt_not_found', { body: { ...TRIAL, promptId: 'prm_none' } });
  expect(requests).toEqual([]);
});

test('an operator tries 20 times a minute, however many calls come at once', async () => {
  const bound = { period: 'minute', most: 20, sentence: 'Too many' } as const;
  const at = new Date('2026-03-10T12:00:59.000Z');
  const calls = Array.from({ length: 22 }, () => countCall(instance.table, 'op', at, bound));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  await countCall(instance.table, 'op', new Date('2026-03-10T12:01:00.000Z'), bound);
  await Promise.all(
    Array.from({ length: 20 }, () =>
      ask(instance, 'prompts-try', { groups: ['admin'], body: TRIAL }).catch(() => undefined),
    ),
  );
  expect(
    await refused(instance, 'prompts-try', 'rate_limited', { groups: ['admin'], body: TRIAL }),
  ).toContain('20 times in this minute');
});
