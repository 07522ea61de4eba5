import { PARTITIONS } from '../../../contract/table.ts';
import { generateApiKey } from '../../../lambdas/core/api-keys/new-key.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { indexKeysOf } from '../../../lambdas/store/usage/counters.ts';
import { failureCounter } from '../../../lambdas/store/usage/failure-counts.ts';
import { ask } from '../../support/admin.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { addItems, allItems, changeAt } from '../../support/rows/table.ts';
import { accessesTo } from '../../support/rows/usage.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

const ROUTE = '/api/prompt/get-compiled';

withOwnInstance();

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

const failuresIn = async () => {
  await instance.settled();
  const kinds = [PARTITIONS.failed, PARTITIONS.failing, PARTITIONS.failingEvents];
  return (await allItems(instance.table)).filter(({ pk }) =>
    kinds.some((kind) => String(pk).startsWith(kind)),
  );
};

const compiling = { label: 'production', shouldCompile: true, variables: { user: 'Ada' } };

test('calls that a move breaks leave no access entry, and page, overview and usage say why, from where and since when', async () => {
  const { promptId, name } = await brokenPrompt();
  const { apiKey, keyId } = await instance.newKey({ name: 'web' });
  for (let i = 0; i < 3; i++) {
    const reply = await instance.post(ROUTE, { name, ...compiling, strict: true }, apiKey);
    expect([reply.status, reply.code]).toEqual([400, 'missing_variables']);
  }
  await instance.settled();
  const params = { promptId };
  const { failing } = await ask(instance, 'prompts-get', { params });
  expect(failing).toMatchObject([
    {
      code: 'missing_variables',
      label: 'production',
      version: '2.0.0',
      reason: 'The prompt needs a value for "brand"',
      apiKeyId: keyId,
      apiKeyName: 'web',
      sourceIp: expect.stringMatching(/127\.0\.0\.1|::1/),
    },
  ]);
  // The last ones may still wait for the next row.
  const { calls } = failing[0] ?? { calls: 0 };
  expect([1, 2, 3]).toContain(calls);
  const { failingPrompts } = await ask(instance, 'overview-get');
  expect(failingPrompts[0]).toEqual({ promptId, name, failing });
  const usage = await ask(instance, 'usage-get', { params });
  expect(usage.counts).toEqual([]);
  expect(usage.failures).toMatchObject([
    { apiKeyId: keyId, version: '2.0.0', isServed: false, count: calls },
  ]);
  expect(usage.keys).toEqual([{ keyId, name: 'web' }]);
  expect((await ask(instance, 'accesses-list', { params })).accesses).toEqual([]);
  const ofKey = async () => ask(instance, 'keys-get', { params: { keyId } });
  const { code, reason, label, version, lastAt } = failing[0] ?? {};
  const failed = [{ promptId, name, code, reason, label, version, calls, lastAt }];
  expect(await ofKey()).toMatchObject({ key: { lastUsedAt: null }, failing: failed });
  const inList = async () => (await ask(instance, 'prompts-list', { query: { q: name } })).prompts[0].failing;
  expect(await inList()).toBe(calls);

  // Back: the same call would succeed, so nothing fails any more.
  await setLabel(instance.table, changeAt(), promptId, 'production', '1.0.0');
  expect((await ask(instance, 'prompts-get', { params })).failing).toEqual([]);
  expect([await inList(), (await ofKey()).failing]).toEqual([undefined, failed]);
  const listed = (await ask(instance, 'overview-get')).failingPrompts.map(
    (each: { promptId: string }) => each.promptId,
  );
  expect(listed).not.toContain(promptId);
});

test.each<[string, object, string]>([
  ['label_not_found', { label: 'stable' }, 'has no label "stable"'],
  ['version_not_found', { version: '7.0.0' }, 'has no version 7.0.0'],
  ['invalid_request', { metaProperties: { text: 'x'.repeat(4_000) } }, 'at most 2048 bytes as JSON'],
  ['reply_too_large', { ...compiling, variables: { user: 'x'.repeat(600_000) } }, 'the limit is 1048576'],
])('%s is a failing call of the prompt, with what it is about', async (code, body, reason) => {
  const { promptId, name } = await brokenPrompt();
  const { apiKey } = await instance.newKey();
  expect((await instance.post(ROUTE, { name, ...body }, apiKey)).code).toBe(code);
  await instance.settled();
  const { failing } = await ask(instance, 'prompts-get', { params: { promptId } });
  expect(failing).toMatchObject([
    { code, reason: expect.stringMatching(new RegExp(`${reason}$`)), calls: 1 },
  ]);
});

test('a call of a Langfuse client that fails is one, too', async () => {
  const { promptId, name } = await newPrompt(instance.table);
  const { apiKey } = await instance.newKey();
  const authorization = `Basic ${Buffer.from(`pk:${apiKey}`).toString('base64')}`;
  const reply = await fetch(`${instance.url}/api/public/v2/prompts/${name}`, { headers: { authorization } });
  expect(reply.status).toBe(404);
  await reply.text();
  await instance.settled();
  const { failing } = await ask(instance, 'prompts-get', { params: { promptId } });
  expect(failing).toMatchObject([{ code: 'label_not_found', label: 'production' }]);
});

test('a call that is served with a placeholder left keeps its access entry, with what is missing', async () => {
  const { promptId, name } = await brokenPrompt();
  const { apiKey } = await instance.newKey();
  expect((await instance.post(ROUTE, { name, ...compiling }, apiKey)).json.res.compiledPrompt).toBe(
    'Hello Ada of {{brand}}, Ada',
  );
  expect((await instance.post(ROUTE, { name, label: 'production' }, apiKey)).status).toBe(200);
  await instance.settled();
  const entries = await accessesTo(instance.table, promptId);
  expect(entries.map(({ missing }) => missing)).toEqual([undefined, ['brand']]);
  const { failing } = await ask(instance, 'prompts-get', { params: { promptId } });
  expect(failing).toMatchObject([
    { code: 'placeholder_left', reason: 'The prompt needs a value for "brand"', version: '2.0.0', calls: 1 },
  ]);
});

test('who may not see a prompt, invents names or has no key leaves nothing, whatever is asked for', async () => {
  const { name } = await brokenPrompt();
  const restricted = await instance.newKey({ prompts: ['elsewhere/*'] });
  const secrets = await instance.newKey({ permissions: ['secrets'] });
  const { apiKey } = await instance.newKey();
  const before = await failuresIn();
  const bodies = [
    { name, ...compiling, strict: true },
    { promptId: promptIdOf(name), label: 'x' },
  ];
  for (const body of bodies)
    for (const key of [restricted.apiKey, secrets.apiKey, generateApiKey().apiKey, 'cue_x', undefined])
      await instance.post(ROUTE, body, key ?? '');
  for (let i = 0; i < 5; i++) await instance.post(ROUTE, { name: `invented-${i}`, label: 'x' }, apiKey);
  await instance.post(ROUTE, { name, label: 1 }, apiKey);
  expect(await failuresIn()).toEqual(before);
});

test('a key with which calls fail for every prompt and reason hides no failing calls of another from overview and page', async () => {
  const { table } = instance;
  const prompts = await Promise.all(Array.from({ length: 61 }, () => brokenPrompt()));
  const [hidden, ...loud] = prompts;
  const now = Date.now();
  const counter = (promptId: string, apiKeyId: string, code: string, hours: number) => {
    const at = new Date(now + hours * 3_600_000).toISOString();
    const lastCall = {
      code,
      apiKeyId,
      apiKeyName: apiKeyId,
      reason: code,
      asked: 'version',
      sourceIp: '::1',
    };
    const key = failureCounter(at, promptId, { code, apiKeyId });
    return { ...key, ...indexKeysOf(key), count: 1, failingSince: at, lastAt: at, lastCall };
  };
  const { promptId = '' } = hidden ?? {};
  await addItems(table, [
    ...loud.map((each) => counter(each.promptId, 'loud', 'missing_variables', 2)),
    ...Array.from({ length: 120 }, (_, i) => counter(promptId, 'loud', `code_${i}`, 2)),
    counter(promptId, 'quiet', 'missing_variables', 0),
  ]);
  const quiet = expect.arrayContaining([expect.objectContaining({ apiKeyId: 'quiet' })]);
  const { failingPrompts } = await ask(instance, 'overview-get');
  expect(failingPrompts).toHaveLength(20);
  expect(failingPrompts).toContainEqual({ promptId, name: hidden?.name, failing: quiet });
  expect((await ask(instance, 'prompts-get', { params: { promptId } })).failing).toEqual(quiet);
});
