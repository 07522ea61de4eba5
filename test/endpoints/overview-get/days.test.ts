import { dayOf, daysAfter } from '../../../lambdas/core/days.ts';
import { createApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { keepLastUse } from '../../../lambdas/store/api-keys/uses.ts';
import { saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { ask } from '../../support/admin.ts';
import { daysAgo, onOneDay } from '../../support/days.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { SECRET_MARKER, storeSecret } from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import { countRead, countUses } from '../../support/rows/usage.ts';
import { fetchPrompt, readSecrets } from '../../support/scenarios/admin-world.ts';
import { type OwnInstance, ownInstance } from '../../support/shared/instance.ts';

let instance: OwnInstance;

const fetched = (promptId: string, days: number, times: number, version = '1.0.0'): Promise<void> =>
  countUses(instance.table, { promptId, version, apiKeyId: 'k' }, daysAgo(days), times);

const released = (secretIds: readonly string[], days: number) =>
  countRead(instance.table, 'k', secretIds, daysAgo(days));

const keyMade = async (name: string, days: number, expiresInDays?: number): Promise<string> => {
  const expiry = expiresInDays === undefined ? {} : { expiresAt: daysAgo(-expiresInDays).toISOString() };
  const input = { name, permissions: ['prompts'] as const, ...expiry };
  return (await createApiKey(instance.table, changeAt(daysAgo(days)), input)).record.keyId;
};

const prompts: { promptId: string; name: string }[] = [];

type Overview = Awaited<ReturnType<typeof ask>>;
let day: string;
let overview: Overview;
let ofTwoDays: Overview;

// The function caches past days, so everything is in place before the first call.
const fill = async (): Promise<void> => {
  const { table } = instance;
  prompts.length = 0;
  for (let i = 0; i < 12; i++) prompts.push(await newPrompt(table, { at: daysAgo(60) }));
  for (const [i, { promptId }] of prompts.entries()) await fetched(promptId, i, i + 1);
  const [first, second] = prompts.map(({ promptId }) => promptId) as [string, string];
  await fetched(first, 29, 50);
  await fetched(first, 31, 1_000);
  await fetched(second, 1, 20, '1.1.0');
  await fetchPrompt(instance, first, { times: 2 });
  const deleted = await newPrompt(table, { at: daysAgo(60) });
  await fetched(deleted.promptId, 15, 500);
  await deletePrompt(table, changeAt(), deleted.promptId);

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
};

beforeAll(async () => {
  ({ day, overview, ofTwoDays } = await onOneDay(async () => {
    await instance?.stop();
    instance = await ownInstance();
    await fill();
    const shown = await ask(instance, 'overview-get', { groups: ['viewer'] });
    return { overview: shown, ofTwoDays: await ask(instance, 'overview-get', { query: { days: 2 } }) };
  }));
});
afterAll(() => instance.stop());

const namesOf = (list: { name: string }[]): string[] => list.map(({ name }) => name);

test('fetches and releases are counted per day, oldest first', () => {
  const counted = new Map([
    ...Array.from({ length: 12 }, (_, days) => [days, days + 1] as const),
    ...([
      [0, 3],
      [1, 22],
      [15, 500],
      [29, 50],
    ] as const),
  ]);
  const expected = Array.from({ length: 30 }, (_, i) => {
    const days = 29 - i;
    const secrets = days === 20 || days === 0 ? 1 : 0;
    return { day: dayOf(daysAfter(new Date(day), -days)), prompts: counted.get(days) ?? 0, secrets };
  });
  expect(overview.fetches).toEqual(expected);
});

test('the ten most fetched prompts are those of the requested days, each with its fetches per day', () => {
  const counts = (top: { name: string; fetches: number }[]) =>
    top.map(({ name, fetches }) => [prompts.findIndex((one) => one.name === name), fetches]);
  const others = [11, 10, 9, 8, 7, 6, 5, 4];
  expect(counts(overview.topPrompts)).toEqual([[0, 53], [1, 22], ...others.map((i) => [i, i + 1])]);
  expect(counts(ofTwoDays.topPrompts)).toEqual([
    [1, 22],
    [0, 3],
  ]);
  expect(ofTwoDays.topPrompts.map(({ perDay }: { perDay: number[] }) => perDay)).toEqual([
    [22, 0],
    [0, 3],
  ]);
});

test('keys and secrets to review are unused for 30 days or expire within 14', () => {
  expect(namesOf(overview.unusedKeys)).toEqual(['never used', 'used long ago']);
  expect(overview.unusedKeys[0].lastUsedAt).toBeNull();
  expect(namesOf(overview.expiringKeys)).toEqual(['in 2 days', 'in 13 days']);
  const unread = overview.unreadSecrets.first.map(({ key }: { key: string }) => key);
  expect([overview.unreadSecrets.total, unread]).toEqual([2, ['NEVER_READ', 'READ_LONG_AGO']]);
});

test('deleted, expired and revoked items are not counted', () => {
  // The six keys above, the one of the first run, and one each for a fetch and a read.
  expect(overview.totals).toEqual({ prompts: 12, secrets: 4, keys: 9, ownKeys: 8, samples: 0 });
});

test('the last ten changes are listed newest first, without values', () => {
  const { changes } = overview;
  expect(changes).toHaveLength(10);
  expect(changes[0]).toMatchObject({ kind: 'change', action: 'api-key.revoke', name: 'revoked' });
  const times = changes.map(({ at }: { at: string }) => at);
  expect(times).toEqual(times.toSorted().reverse());
  expect(JSON.stringify(overview)).not.toContain(SECRET_MARKER);
});

test('autosaved drafts do not push other changes out', async () => {
  const { promptId } = await newPrompt(instance.table);
  let rev: number | undefined;
  for (let i = 0; i < 12; i++) {
    ({ rev } = await saveDraft(instance.table, changeAt(), promptId, { ...content(`Text ${i}`), rev }));
  }
  const { changes } = await ask(instance, 'overview-get');
  const actions = changes.map(({ action }: { action: string }) => action);
  expect(actions).toHaveLength(10);
  expect(actions).not.toContain('draft.save');
});
