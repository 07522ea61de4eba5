import { overviewGet } from '../../../contract/endpoints/overview-get.ts';
import { dayOf } from '../../../lambdas/core/days.ts';
import { createApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { keepLastUse } from '../../../lambdas/store/api-keys/uses.ts';
import { saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { ask, refused, send } from '../../support/admin.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { SECRET_MARKER, storeSecret } from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import { countRead, countUses } from '../../support/rows/usage.ts';
import { fetchPrompt, readSecrets } from '../../support/scenarios/admin-world.ts';
import { type OwnInstance, ownInstance } from '../../support/shared/instance.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

let instance: OwnInstance;

const fetched = async (promptId: string, days: number, times: number): Promise<void> => {
  await countUses(instance.table, { promptId, version: '1.0.0', apiKeyId: 'k' }, daysAgo(days), times);
};

const released = (secretIds: readonly string[], days: number) =>
  countRead(instance.table, 'k', secretIds, daysAgo(days));

const keyMade = async (name: string, days: number, expiresInDays?: number): Promise<string> => {
  const expiry = expiresInDays === undefined ? {} : { expiresAt: daysAgo(-expiresInDays).toISOString() };
  const input = { name, permissions: ['prompts'] as const, ...expiry };
  return (await createApiKey(instance.table, changeAt(daysAgo(days)), input)).record.keyId;
};

const prompts: { promptId: string; name: string }[] = [];

// The function caches past days, so everything is in place before the first call.
beforeAll(async () => {
  instance = await ownInstance();
  const { table } = instance;
  for (let i = 0; i < 12; i++) prompts.push(await newPrompt(table, { at: daysAgo(60) }));
  for (const [i, { promptId }] of prompts.entries()) await fetched(promptId, i, i + 1);
  await fetched(prompts[0]?.promptId ?? '', 29, 50);
  await fetched(prompts[0]?.promptId ?? '', 31, 1_000);
  await fetchPrompt(instance, prompts[0]?.promptId ?? '', { times: 2 });

  const at = daysAgo(40);
  const recent = await storeSecret(instance, { key: 'READ_LATELY', at });
  const longAgo = await storeSecret(instance, { key: 'READ_LONG_AGO', at });
  const gone = await storeSecret(instance, { key: 'DELETED', at });
  await storeSecret(instance, { key: 'NEVER_READ', at });
  await storeSecret(instance, { key: 'NEW', tags: ['new'], at: daysAgo(29) });
  await deleteSecret(table, changeAt(), gone.secretId);
  await released([recent.secretId], 20);
  await released([longAgo.secretId], 35);
  await readSecrets(instance, { tags: ['new'] });

  await keepLastUse(table, await keyMade('used', 40), daysAgo(5).toISOString());
  await keepLastUse(table, await keyMade('used long ago', 50), daysAgo(31).toISOString());
  await keyMade('never used', 40);
  await revokeApiKey(table, changeAt(), await keyMade('revoked', 40));
  await keyMade('expired', 40, -1);
  await keyMade('in 13 days', 1, 13);
  await keyMade('in 2 days', 1, 2);
  await keyMade('in 15 days', 1, 15);
});
afterAll(() => instance.stop());

const namesOf = (list: { name: string }[]): string[] => list.map(({ name }) => name);

test('fetches and releases are counted per day, oldest first', async () => {
  const { fetches } = await ask(instance, overviewGet);
  const expected = Array.from({ length: 30 }, (_, i) => {
    const days = 29 - i;
    const used = days < 12 ? days + 1 : 0;
    return {
      day: dayOf(daysAgo(days)),
      prompts: used + (days === 29 ? 50 : 0) + (days === 0 ? 2 : 0),
      secrets: days === 20 || days === 0 ? 1 : 0,
    };
  });
  expect(fetches).toEqual(expected);
});

test('the ten most fetched prompts are those of the requested days', async () => {
  const top = async (days: number) => {
    const { topPrompts, topVersions } = await ask(instance, overviewGet, { query: { days } });
    expect(topVersions).toEqual(
      topPrompts.map((prompt: { name: string }) => ({ ...prompt, version: '1.0.0' })),
    );
    return topPrompts.map(({ name, fetches }: { name: string; fetches: number }) => [name, fetches]);
  };
  const counted = prompts.map(({ name }, i) => [name, i + 1]).reverse();
  expect(await top(30)).toEqual([[prompts[0]?.name, 53], ...counted.slice(0, 9)]);
  expect(await top(2)).toEqual([
    [prompts[0]?.name, 3],
    [prompts[1]?.name, 2],
  ]);
});

test('keys and secrets to review are unused for 30 days or expire within 14', async () => {
  const overview = await ask(instance, overviewGet);
  expect(namesOf(overview.unusedKeys)).toEqual(['never used', 'used long ago']);
  expect(overview.unusedKeys[0].lastUsedAt).toBeNull();
  expect(namesOf(overview.expiringKeys)).toEqual(['in 2 days', 'in 13 days']);
  const unread = overview.unreadSecrets.first.map(({ key }: { key: string }) => key);
  expect([overview.unreadSecrets.total, unread]).toEqual([2, ['NEVER_READ', 'READ_LONG_AGO']]);
});

test('deleted, expired and revoked items are not counted', async () => {
  const { totals } = await ask(instance, overviewGet);
  // The six keys above, the one of the first run, and one each for a fetch and a read.
  expect(totals).toEqual({ prompts: 12, secrets: 4, keys: 9, ownKeys: 8, samples: 0 });
});

test('the last ten changes are listed newest first, without values', async () => {
  const { text, json } = await send(instance, overviewGet, { groups: ['viewer'] });
  const { changes } = json.res;
  expect(changes).toHaveLength(10);
  expect(changes[0]).toMatchObject({ kind: 'change', action: 'api-key.revoke', name: 'revoked' });
  const times = changes.map(({ at }: { at: string }) => at);
  expect(times).toEqual(times.toSorted().reverse());
  expect(text).not.toContain(SECRET_MARKER);
});

test.each(['0', '31', 'x', '1.5', '-1'])('%s is not a valid number of days', async (days) => {
  expect(await refused(instance, overviewGet, 'invalid_request', { query: { days } })).toContain('"days"');
});

test('autosaved drafts do not push other changes out', async () => {
  const { promptId } = await newPrompt(instance.table);
  let rev: number | undefined;
  for (let i = 0; i < 12; i++) {
    ({ rev } = await saveDraft(instance.table, changeAt(), promptId, { ...content(`Text ${i}`), rev }));
  }
  const { changes } = await ask(instance, overviewGet);
  const actions = changes.map(({ action }: { action: string }) => action);
  expect(actions).toHaveLength(10);
  expect(actions).not.toContain('draft.save');
});
