import { PARTITIONS } from '../../../contract/table.ts';
import { generateApiKey } from '../../../lambdas/core/api-keys/new-key.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { indexKeysOf } from '../../../lambdas/store/usage/counters.ts';
import { failureCounter } from '../../../lambdas/store/usage/failure-counts.ts';
import { ask, column } from '../../support/admin.ts';
import { LOOPBACK } from '../../support/calls.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { addItems, allItems, changeAt } from '../../support/rows/table.ts';
import { accessesTo } from '../../support/rows/usage.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

const post = (body: object, apiKey: string) => instance.post('/api/prompt/get-compiled', body, apiKey);

/** A prompt whose production has just moved to a version that needs `brand`. */
const brokenPrompt = async () => {
  const { table } = instance;
  const prompt = await newPrompt(table, { prompt: 'Hello {{user}}' });
  await setLabel(table, changeAt(), prompt.promptId, 'production', '1.0.0');
  await publishVersion(table, changeAt(), prompt.promptId, {
    ...content('Hello {{user}} of {{brand}}, {{user}}'),
    bump: 'major',
    label: 'production',
  });
  return prompt;
};

const pageOf = (promptId: string) => ask('prompts-get', { promptId });
/** The failing calls of a prompt, as its page has them. */
const failingOf = async (promptId: string) => {
  await instance.settled();
  return (await pageOf(promptId)).failing;
};

const compiling = { label: 'production', shouldCompile: true, variables: { user: 'Ada' } };
const reason = 'The prompt needs a value for "brand"';

test('calls that a move breaks leave no access entry, and page, overview and usage say why, from where and since when', async () => {
  const { promptId, name } = await brokenPrompt();
  const { apiKey, keyId } = await instance.newKey({ name: 'web' });
  for (let i = 0; i < 3; i++)
    expect((await post({ name, ...compiling, strict: true }, apiKey)).code).toBe('missing_variables');
  const failing = await failingOf(promptId);
  const of = { code: 'missing_variables', reason, label: 'production', version: '2.0.0' };
  const sourceIp = expect.stringMatching(LOOPBACK);
  expect(failing).toMatchObject([{ ...of, apiKeyId: keyId, apiKeyName: 'web', sourceIp }]);
  const { calls, lastAt } = failing[0];
  // The last ones may still wait for the next row.
  expect([1, 2, 3]).toContain(calls);
  expect((await ask('overview-get')).failingPrompts[0]).toEqual({ promptId, name, failing });
  expect(await ask('usage-get', { promptId })).toMatchObject({
    counts: [],
    failures: [{ apiKeyId: keyId, version: '2.0.0', isServed: false, count: calls }],
    keys: [{ keyId, name: 'web' }],
  });
  expect((await ask('accesses-list', { promptId })).accesses).toEqual([]);
  const ofKey = () => ask('keys-get', { keyId });
  const failed = [{ promptId, name, ...of, calls, lastAt }];
  expect(await ofKey()).toMatchObject({ key: { lastUsedAt: null }, failing: failed });
  const inList = async () => (await ask('prompts-list', { q: name })).prompts[0].failing;
  expect(await inList()).toBe(calls);

  // Back: the same call would succeed, so nothing fails any more.
  await setLabel(instance.table, changeAt(), promptId, 'production', '1.0.0');
  expect((await pageOf(promptId)).failing).toEqual([]);
  expect([await inList(), (await ofKey()).failing]).toEqual([undefined, failed]);
  expect(column((await ask('overview-get')).failingPrompts, 'promptId')).not.toContain(promptId);
});

test.each<[string, object, string]>([
  ['label_not_found', { label: 'stable' }, 'has no label "stable"'],
  ['version_not_found', { version: '7.0.0' }, 'has no version 7.0.0'],
  ['reply_too_large', { ...compiling, variables: { user: 'x'.repeat(600_000) } }, 'the limit is 1048576'],
])('%s is a failing call of the prompt, with what it is about', async (code, body, sentence) => {
  const { promptId, name } = await brokenPrompt();
  expect((await post({ name, ...body }, instance.firstRun.apiKey)).code).toBe(code);
  const known = { code, reason: expect.stringMatching(new RegExp(`${sentence}$`)), calls: 1 };
  expect(await failingOf(promptId)).toMatchObject([known]);
});

test('a call of a Langfuse client that fails is one, too', async () => {
  const { promptId, name } = await newPrompt(instance.table);
  const authorization = `Basic ${Buffer.from(`pk:${instance.firstRun.apiKey}`).toString('base64')}`;
  const reply = await fetch(`${instance.url}/api/public/v2/prompts/${name}`, { headers: { authorization } });
  expect(reply.status).toBe(404);
  expect(await failingOf(promptId)).toMatchObject([{ code: 'label_not_found', label: 'production' }]);
});

test('a call that is served with a placeholder left keeps its access entry, with what is missing', async () => {
  const { promptId, name } = await brokenPrompt();
  const { apiKey } = await instance.newKey();
  const { compiledPrompt } = (await post({ name, ...compiling }, apiKey)).json.res;
  expect(compiledPrompt).toBe('Hello Ada of {{brand}}, Ada');
  expect((await post({ name, label: 'production' }, apiKey)).status).toBe(200);
  const known = { code: 'placeholder_left', reason, version: '2.0.0', calls: 1 };
  expect(await failingOf(promptId)).toMatchObject([known]);
  expect(column(await accessesTo(instance.table, promptId), 'missing')).toEqual([undefined, ['brand']]);
});

test('who may not see a prompt, invents names or has no key leaves nothing, whatever is asked for', async () => {
  const failures = async () => {
    await instance.settled();
    const kinds = [PARTITIONS.failed, PARTITIONS.failing, PARTITIONS.failingEvents];
    const items = await allItems(instance.table);
    return items.filter(({ pk }) => kinds.some((kind) => String(pk).startsWith(kind)));
  };
  const { name } = await brokenPrompt();
  const restricted = await instance.newKey({ prompts: ['elsewhere/*'] });
  const secrets = await instance.newKey({ permissions: ['secrets'] });
  const { apiKey } = await instance.newKey();
  const before = await failures();
  for (const key of [restricted.apiKey, secrets.apiKey, generateApiKey().apiKey, 'cue_x', '']) {
    await post({ name, ...compiling, strict: true }, key);
    await post({ promptId: promptIdOf(name), label: 'x' }, key);
  }
  for (let i = 0; i < 5; i++) await post({ name: `invented-${i}`, label: 'x' }, apiKey);
  await post({ name, label: 1 }, apiKey);
  expect(await failures()).toEqual(before);
});

test('a key with which calls fail for every prompt and reason hides no failing calls of another from overview and page', async () => {
  const { promptId, name } = await brokenPrompt();
  const loud = await Promise.all(Array.from({ length: 20 }, () => newPrompt(instance.table)));
  const now = Date.now();
  const counter = (id: string, apiKeyId: string, code: string, hours: number) => {
    const at = new Date(now + hours * 3_600_000).toISOString();
    const asked = { reason: code, asked: 'version', sourceIp: '::1' };
    const key = failureCounter(at, id, { code, apiKeyId });
    const lastCall = { code, apiKeyId, apiKeyName: apiKeyId, ...asked };
    return { ...key, ...indexKeysOf(key), count: 1, failingSince: at, lastAt: at, lastCall };
  };
  await addItems(instance.table, [
    ...loud.map((each) => counter(each.promptId, 'loud', 'missing_variables', 2)),
    ...Array.from({ length: 120 }, (_, i) => counter(promptId, 'loud', `code_${i}`, 2)),
    counter(promptId, 'quiet', 'missing_variables', 0),
  ]);
  const failing = expect.arrayContaining([expect.objectContaining({ apiKeyId: 'quiet' })]);
  const { failingPrompts } = await ask('overview-get');
  expect(failingPrompts).toHaveLength(20);
  expect(failingPrompts).toContainEqual({ promptId, name, failing });
  expect((await pageOf(promptId)).failing).toEqual(failing);
});
