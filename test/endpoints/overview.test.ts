import { dayOf, daysAfter } from '../../lambdas/core/days.ts';
import { keepLastUse } from '../../lambdas/store/api-keys/uses.ts';
import { ask, column, useInstance } from '../support/admin.ts';
import { daysAgo, onOneDay } from '../support/days.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { SECRET_MARKER, storeSecret } from '../support/rows/secrets.ts';
import { countRead, countUses } from '../support/rows/usage.ts';
import { fetchPrompt, readSecrets } from '../support/scenarios/admin-world.ts';
import { type OwnInstance, ownInstance } from '../support/shared/instance.ts';

let instance: OwnInstance;

const released = (secretId: string, days: number) =>
  countRead(instance.table, 'k', [secretId], daysAgo(days));

const keyMade = async (name: string, days: number, expiresInDays?: number): Promise<string> => {
  const expiry = expiresInDays === undefined ? {} : { expiresAt: daysAgo(-expiresInDays).toISOString() };
  return (await instance.newKey({ name, at: daysAgo(days), ...expiry })).keyId;
};

const prompts: { promptId: string; name: string }[] = [];

type Overview = Awaited<ReturnType<typeof ask>>;
let day: string;
let empty: Overview;
let overview: Overview;
let ofTwoDays: Overview;

// The function caches past days, so everything is in place before it is asked about them.
const fill = async (): Promise<void> => {
  const { table } = instance;
  const fetched = ({ promptId }: { promptId: string }, days: number, times: number, version = '1.0.0') =>
    countUses(table, { promptId, version, apiKeyId: 'k' }, daysAgo(days), times);
  prompts.length = 0;
  for (let i = 0; i < 12; i++) prompts.push(await newPrompt(table, { at: daysAgo(60) }));
  for (const [i, prompt] of prompts.entries()) await fetched(prompt, i, i + 1);
  const [first, second] = prompts as [(typeof prompts)[0], (typeof prompts)[0]];
  await fetched(first, 29, 50);
  await fetched(first, 31, 1_000);
  await fetched(second, 1, 20, '1.1.0');
  await fetchPrompt(first.promptId, { times: 2 });
  const deleted = await newPrompt(table, { at: daysAgo(60) });
  await fetched(deleted, 15, 500);
  await ask('prompts-delete', { promptId: deleted.promptId });

  const stored = (key: string, days = 40, tags: string[] = []) =>
    storeSecret({ key, tags, at: daysAgo(days) });
  const recent = await stored('READ_LATELY');
  const longAgo = await stored('READ_LONG_AGO');
  const gone = await stored('DELETED');
  await stored('NEVER_READ');
  await stored('NEW', 29, ['new']);
  await ask('secrets-delete', { secretId: gone.secretId });
  await released(recent.secretId, 20);
  await released(longAgo.secretId, 35);
  await readSecrets({ tags: ['new'] });

  await keepLastUse(table, await keyMade('used', 40), daysAgo(5).toISOString());
  await keepLastUse(table, await keyMade('used long ago', 50), daysAgo(31).toISOString());
  await keyMade('never used', 40);
  await ask('keys-revoke', { keyId: await keyMade('revoked', 40) });
  await keyMade('expired', 40, -1);
  for (const days of [13, 2, 15]) await keyMade(`in ${days} days`, 1, days);
};

beforeAll(async () => {
  ({ day, empty, overview, ofTwoDays } = await onOneDay(async () => {
    await instance?.stop();
    instance = useInstance(await ownInstance());
    // Of one day alone, which is not over.
    const nothing = await ask('overview-get', { days: 1 });
    await fill();
    const shown = await ask('overview-get', {}, 'viewer');
    return { empty: nothing, overview: shown, ofTwoDays: await ask('overview-get', { days: 2 }) };
  }));
});
afterAll(() => instance.stop());

test('the overview of an unused instance is empty, not absent', () => {
  expect(empty).toMatchObject({
    totals: { prompts: 0, secrets: 0 },
    fetches: [{ day, prompts: 0, secrets: 0 }],
    topPrompts: [],
    unreadSecrets: { total: 0, first: [] },
  });
});

test('fetches and releases are counted per day, oldest first', () => {
  const counted: Record<number, number> = { 0: 3, 1: 22, 15: 500, 29: 50 };
  const expected = Array.from({ length: 30 }, (_, i) => {
    const days = 29 - i;
    const fetches = counted[days] ?? (days < 12 ? days + 1 : 0);
    const secrets = days === 20 || days === 0 ? 1 : 0;
    return { day: dayOf(daysAfter(new Date(day), -days)), prompts: fetches, secrets };
  });
  expect(overview.fetches).toEqual(expected);
});

test('the ten most fetched prompts are those of the requested days, each with its fetches per day', () => {
  const top = ([i, fetches]: readonly number[]) => ({ name: prompts[i ?? 0]?.name, fetches });
  const others = [11, 10, 9, 8, 7, 6, 5, 4].map((i) => [i, i + 1]);
  expect(overview.topPrompts).toMatchObject([[0, 53], [1, 22], ...others].map(top));
  expect(overview.topPrompts).toHaveLength(10);
  expect(ofTwoDays.topPrompts).toMatchObject([
    { ...top([1, 22]), perDay: [22, 0] },
    { ...top([0, 3]), perDay: [0, 3] },
  ]);
});

test('keys and secrets to review are unused for 30 days or expire within 14', () => {
  expect(column(overview.unusedKeys, 'name')).toEqual(['never used', 'used long ago']);
  expect(overview.unusedKeys[0].lastUsedAt).toBeNull();
  expect(column(overview.expiringKeys, 'name')).toEqual(['in 2 days', 'in 13 days']);
  expect(overview.unreadSecrets).toMatchObject({
    total: 2,
    first: [{ key: 'NEVER_READ' }, { key: 'READ_LONG_AGO' }],
  });
});

test('deleted, expired and revoked items are not counted', () => {
  // The six keys above, the one of the first run, and one each for a fetch and a read.
  expect(overview.totals).toEqual({ prompts: 12, secrets: 4, keys: 9, ownKeys: 8, samples: 0 });
});

test('the last ten changes are listed newest first, without values; autosaved drafts do not push others out', async () => {
  const { changes } = overview;
  expect(changes).toHaveLength(10);
  expect(changes[0]).toMatchObject({ kind: 'change', action: 'api-key.revoke', name: 'revoked' });
  const times = column(changes, 'at');
  expect(times).toEqual(times.toSorted().reverse());
  expect(JSON.stringify(overview)).not.toContain(SECRET_MARKER);
  const { promptId } = await newPrompt(instance.table);
  let rev: number | undefined;
  for (let i = 0; i < 12; i++)
    ({ rev } = (await ask('drafts-save', { promptId, prompt: `Text ${i}`, rev })).draft);
  const actions = column((await ask('overview-get')).changes, 'action');
  expect(actions).toHaveLength(10);
  expect(actions).not.toContain('draft.save');
});

test('secrets that must be rotated within 14 days, or should have been, are listed by day', async () => {
  const due = async (rotateBy: string) => {
    const { secretId } = await storeSecret();
    await ask('secrets-update', { secretId, rotateBy });
    return { secretId };
  };
  const soon = await due(dayOf(daysAgo(-3)));
  const overdue = await due('2020-01-31');
  await due(dayOf(daysAgo(-20)));
  expect((await ask('overview-get')).secretsToRotate).toMatchObject({ total: 2, first: [overdue, soon] });
});

test('a rotation is unfinished until the earlier credential is recorded as disabled', async () => {
  const { secretId, key } = await storeSecret();
  const isListed = async () => {
    const { secrets } = await ask('secrets-list', { unfinished: true, q: key });
    const { first } = (await ask('overview-get')).unfinishedRotations;
    return [secrets, first].map((rows) => column(rows, 'secretId').includes(secretId));
  };
  expect(await isListed()).toEqual([false, false]);
  await ask('secrets-update', { secretId, value: 'new' });
  expect(await isListed()).toEqual([true, true]);
  await ask('secrets-update', { secretId, switchedOffUpTo: 1 });
  expect(await isListed()).toEqual([false, false]);
});
