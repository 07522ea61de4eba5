import { recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import { ask, refused } from '../../support/admin.ts';
import { LOOPBACK } from '../../support/calls.ts';
import { daysAgo } from '../../support/days.ts';
import { allPages } from '../../support/pages.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { accessOf } from '../../support/rows/usage.ts';
import { aPrompt, fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('fetches are listed newest first and can be filtered by key and version', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  const web = await fetchPrompt(instance, promptId, { times: 3, name: 'web' });
  const job = await fetchPrompt(instance, promptId, { version: '1.0.0', times: 2, name: 'job' });
  const { accesses } = await ask(instance, 'accesses-list', { params });
  expect(accesses.map(({ apiKeyName }: { apiKeyName: string }) => apiKeyName)).toEqual([
    ...['job', 'job'],
    ...['web', 'web', 'web'],
  ]);
  expect(accesses[0]).toMatchObject({
    version: '1.0.0',
    apiKeyId: job.keyId,
    compiled: false,
    sourceIp: expect.stringMatching(LOOPBACK),
  });
  const byKey = await ask(instance, 'accesses-list', { params, query: { key: web.keyId } });
  expect(byKey.accesses).toEqual(accesses.slice(2));
  const byVersion = await ask(instance, 'accesses-list', { params, query: { version: '1.0.0' } });
  expect(byVersion.accesses).toEqual(accesses.slice(0, 2));
  const neither = { key: web.keyId, version: '1.0.0' };
  expect(await ask(instance, 'accesses-list', { params, query: neither })).toEqual({ accesses: [] });
});

test('the pages together are the whole list, filtered or not', async () => {
  const { promptId } = await newPrompt(instance.table, { at: daysAgo(3) });
  const start = daysAgo(1).getTime();
  for (let i = 0; i < 30; i++) {
    const at = new Date(start + i * 1_000);
    const apiKeyId = i % 3 === 0 ? 'k' : 'other';
    await recordAccess(instance.table, accessOf({ promptId, at, requestId: `r${i}`, apiKeyId }));
  }
  const found = await allPages(
    (continued) =>
      ask(instance, 'accesses-list', { params: { promptId }, query: { limit: 4, key: 'k', ...continued } }),
    ({ accesses }) => accesses.map(({ requestId }: { requestId: string }) => requestId),
  );
  expect(found).toEqual(['r27', 'r24', 'r21', 'r18', 'r15', 'r12', 'r9', 'r6', 'r3', 'r0']);
});

test('a day that is none and a range that ends before it begins are rejected', async () => {
  const params = { promptId: (await aPrompt(instance)).promptId };
  for (const query of [{ from: '2026-02-31' }, { from: '2026-03-02', to: '2026-03-01' }])
    await refused(instance, 'accesses-list', 'invalid_request', { params, query });
});
