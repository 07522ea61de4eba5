import { maySeePrompt } from '../../../lambdas/core/api-keys/rules.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { ask } from '../../support/admin.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

const ROUTE = '/api/prompt/get-compiled';
const NAMES = ['support/reply', 'support/close', 'greeting', 'greetings'];

withOwnInstance();

let apiKey: string;
beforeAll(async () => {
  for (const name of NAMES) await createPrompt(instance.table, changeAt(), { ...content('x'), name });
  const body = { name: 'support', permissions: ['prompts'], prompts: ['support/*', 'greeting'] };
  const created = await ask(instance, 'keys-create', { body });
  expect(created.key.prompts).toEqual(body.prompts);
  apiKey = created.apiKey;
});

test('a key restricted to some prompts fetches only these, by name or id', async () => {
  for (const [name, status] of [
    ['support/reply', 200],
    ['support/close', 200],
    ['greeting', 200],
    ['greetings', 404],
  ] as const) {
    const replies = [{ name }, { promptId: promptIdOf(name) }, { name, version: '1.0.0' }];
    for (const body of replies) expect((await instance.post(ROUTE, body, apiKey)).status).toBe(status);
  }
});

test('a hidden prompt and a missing prompt get the same reply', async () => {
  const reasons = () => instance.logs.join('').match(/"Reason":"prompts"/g)?.length ?? 0;
  const before = reasons();
  const [hidden, missing] = [
    await instance.post(ROUTE, { name: 'greetings' }, apiKey),
    await instance.post(ROUTE, { name: 'nothing-1' }, apiKey),
  ];
  expect([hidden.status, hidden.code]).toEqual([404, 'prompt_not_found']);
  expect(hidden.text.replace('greetings', 'nothing-1')).toBe(missing.text);
  // The reply does not reveal whether a version or label of a hidden prompt exists either.
  const version = await instance.post(ROUTE, { name: 'greetings', version: '9.9.9' }, apiKey);
  expect(version.text).toBe(hidden.text);
  expect(reasons() - before).toBe(3);
});

test('an asterisk is a wildcard at the end only', () => {
  const key = (...prompts: string[]) => ({ prompts });
  expect(maySeePrompt(key(), 'any')).toBe(true);
  expect(maySeePrompt(key('*'), 'any')).toBe(true);
  expect(maySeePrompt(key('a*'), 'ab')).toBe(true);
  expect(maySeePrompt(key('a*c'), 'abc')).toBe(false);
  expect(maySeePrompt(key('a.c', 'x'), 'abc')).toBe(false);
});
