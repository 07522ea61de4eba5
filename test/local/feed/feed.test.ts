import { dayOf } from '../../../lambdas/core/days.ts';
import { lastUseOf } from '../../../lambdas/store/api-keys/uses.ts';
import { usageOf } from '../../../lambdas/store/usage/counters.ts';
import { secretReadsOf } from '../../../lambdas/store/usage/secret-reads.ts';
import { createLastReads } from '../../../lambdas/store/views/secret-rows.ts';
import { openInstance, type TestInstance } from '../../support/instance.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { storeSecret } from '../../support/rows/secrets.ts';

let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance({ consumes: 'after-writes' });
});
afterAll(() => instance.stop());

const fetchesOf = async (promptId: string): Promise<number> =>
  (await usageOf(instance.table, promptId, 2, new Date())).reduce((sum, { count }) => sum + count, 0);

test('fetches and releases are counted through the stream', async () => {
  const { promptId } = await newPrompt(instance.table);
  const { secretId, key } = await storeSecret(instance);
  const { apiKey, keyId } = await instance.newKey();
  for (let n = 0; n < 5; n++) await instance.post('/api/prompt/get-compiled', { promptId }, apiKey);
  await instance.post('/api/vault/get-secrets', { key }, apiKey);
  await instance.settled();
  expect(await fetchesOf(promptId)).toBe(5);
  const releases = await secretReadsOf(instance.table, dayOf(new Date()));
  expect(releases.filter(({ apiKeyId }) => apiKeyId === keyId)).toMatchObject([{ count: 1 }]);
  expect((await createLastReads(instance.table)(new Date())).get(secretId)?.apiKeyId).toBe(keyId);
  expect(await lastUseOf(instance.table, keyId)).toBeDefined();
  expect(instance.logs.join('')).not.toMatch(/usage-count|not authorized|skipped/);
});
