import { overviewGet } from '../../../contract/endpoints/overview-get.ts';
import { secretsList } from '../../../contract/endpoints/secrets/secrets-list.ts';
import { secretsUpdate } from '../../../contract/endpoints/secrets/secrets-update.ts';
import { createApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { createSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { ask } from '../../support/admin.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt, aSecret, fetchPrompt, readSecrets } from '../../support/scenarios/admin-world.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

const daysAgo = (days: number) => changeAt(new Date(Date.now() - days * 86_400_000));

test('the overview of an unused instance is empty, not absent', async () => {
  const { fetches, totals, ...rest } = await ask(instance, overviewGet, { query: { days: 7 } });
  expect(totals).toMatchObject({ prompts: 0, secrets: 0 });
  expect(fetches).toHaveLength(7);
  expect(fetches[6]).toEqual({ day: new Date().toISOString().slice(0, 10), prompts: 0, secrets: 0 });
  expect(rest).toMatchObject({ topPrompts: [], topVersions: [], unreadSecrets: { total: 0, first: [] } });
});

test('it shows the most fetched prompts, unused and expiring items, and recent changes', async () => {
  const { table } = instance;
  const busy = await aPrompt(instance);
  const quiet = await aPrompt(instance);
  const gone = await aPrompt(instance);
  await fetchPrompt(instance, busy.promptId, { times: 2, version: '1.0.0' });
  await fetchPrompt(instance, busy.promptId, { times: 1 });
  await fetchPrompt(instance, quiet.promptId, { times: 1 });
  await fetchPrompt(instance, gone.promptId, { times: 5 });
  await deletePrompt(table, changeAt(), gone.promptId);
  await createSecret(table, daysAgo(40), { key: 'READ', value: 'x', tags: ['read'] });
  await createSecret(table, daysAgo(40), { key: 'UNREAD', value: 'x', tags: ['unread'] });
  await createSecret(table, daysAgo(10), { key: 'YOUNG', value: 'x', tags: ['unread'] });
  await readSecrets(instance, { tags: ['read'] });
  const key = { permissions: ['prompts'], name: 'idle' } as const;
  await createApiKey(table, daysAgo(40), key);
  const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
  await createApiKey(table, changeAt(), { ...key, name: 'expiring', expiresAt });
  const later = new Date(Date.now() + 50 * 86_400_000).toISOString();
  await createApiKey(table, changeAt(), { ...key, name: 'later', expiresAt: later });

  const overview = await ask(instance, overviewGet);
  expect(overview.totals).toMatchObject({ prompts: 2, secrets: 3 });
  expect(overview.fetches).toHaveLength(30);
  expect(overview.fetches[29]).toMatchObject({ prompts: 9, secrets: 1 });
  expect(overview.topPrompts).toEqual([
    { promptId: busy.promptId, name: busy.name, fetches: 3 },
    { promptId: quiet.promptId, name: quiet.name, fetches: 1 },
  ]);
  expect(overview.topVersions[0]).toEqual({ ...overview.topPrompts[0], version: '1.0.0', fetches: 2 });
  expect(overview.topVersions).toHaveLength(3);
  expect(overview.unreadSecrets).toMatchObject({ total: 1, first: [{ key: 'UNREAD' }] });
  expect(overview.unusedKeys).toMatchObject([{ name: 'idle', lastUsedAt: null }]);
  expect(overview.expiringKeys).toMatchObject([{ name: 'expiring', expiresAt }]);
  expect(overview.changes).toHaveLength(10);
  expect(overview.changes[0]).toMatchObject({ kind: 'change', action: 'api-key.create', name: 'later' });
});

test('secrets that must be rotated within 14 days, or should have been, are listed by day', async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const { total: before } = (await ask(instance, overviewGet)).secretsToRotate;
  const due = async (rotateBy: string) => {
    const { secretId } = await aSecret(instance);
    await ask(instance, secretsUpdate, { params: { secretId }, body: { rotateBy } });
    return secretId;
  };
  const [soon, overdue, later] = [await due(day(3)), await due('2020-01-31'), await due(day(20))];
  const { secretsToRotate } = await ask(instance, overviewGet);
  const ids = secretsToRotate.first.map(({ secretId }: { secretId: string }) => secretId);
  expect(secretsToRotate.total).toBe(before + 2);
  expect(ids.indexOf(overdue)).toBeLessThan(ids.indexOf(soon));
  expect(ids).not.toContain(later);
});

test('a rotation is unfinished until the earlier credential is recorded as disabled', async () => {
  const { secretId, key } = await aSecret(instance);
  const isListed = async () => {
    const { secrets } = await ask(instance, secretsList, { query: { unfinished: 'true', q: key } });
    const { first } = (await ask(instance, overviewGet)).unfinishedRotations;
    const ids = [secrets, first].map((some: { secretId: string }[]) => some.map((one) => one.secretId));
    return ids.map((some) => some.includes(secretId));
  };
  const update = (body: object) => ask(instance, secretsUpdate, { params: { secretId }, body });
  expect(await isListed()).toEqual([false, false]);
  await update({ value: 'new' });
  expect(await isListed()).toEqual([true, true]);
  await update({ switchedOffUpTo: 1 });
  expect(await isListed()).toEqual([false, false]);
});
