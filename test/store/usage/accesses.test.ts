import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { WIDE_SHARDS } from '../../../lambdas/store/entry-shards.ts';
import { writeAuditRead } from '../../../lambdas/store/secrets/audit-read.ts';
import type { Item, Table } from '../../../lambdas/store/table.ts';
import { listAccesses, recentAccesses } from '../../../lambdas/store/usage/access-lists.ts';
import { type Access, recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import { addToCounter, countersOf, usageCounter } from '../../../lambdas/store/usage/counters.ts';
import { listAudit } from '../../../lambdas/store/views/audit-list.ts';
import { countingCalls, intercepted, throttled } from '../../support/aws/intercept.ts';
import { allPages } from '../../support/pages.ts';
import { readOf } from '../../support/rows/audit.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { table, withTestTable } from '../../support/rows/table.ts';
import { accessOf } from '../../support/rows/usage.ts';

withTestTable();

const NOON = new Date('2026-03-10T12:00:00.000Z');
let prompts = 0;
const newId = () => `prm_${++prompts}`;

const access = (promptId: string, changes: Partial<Access> = {}) =>
  accessOf({ promptId, at: NOON, ...changes });

const list = (promptId: string, changes = {}) =>
  listAccesses(table, promptId, { from: '2026-03-01', to: '2026-03-10', limit: 100, ...changes });

test('the history of several days and shards, or of those that are requested, is listed newest first, across pages, with all of the same time, however large its entries are', async () => {
  const promptId = newId();
  const times = Array.from({ length: 60 }, (_, i) => new Date(NOON.getTime() - 1 - i * 3 * 3_600_000));
  const same = Array.from({ length: 15 }, () => NOON);
  const metaProperties = { quotes: '"'.repeat(8_000) };
  for (const at of [...times.slice(30), ...same, ...times.slice(0, 30).toReversed()])
    await recordAccess(table, access(promptId, { at, metaProperties }));
  for (const limit of [7, 200]) {
    const listed = await allPages(
      (continued) => list(promptId, { limit, ...continued }),
      ({ items }) => {
        expect(items.length).toBeLessThan(75);
        expect(JSON.stringify(JSON.stringify(items)).length).toBeLessThan(LIMITS.pageBytes * 1.01);
        return items;
      },
    );
    expect(listed.map(({ time }) => time)).toEqual([...same, ...times].map((at) => at.toISOString()));
    expect(new Set(listed.map(({ requestId }) => requestId)).size).toBe(75);
  }
  const { items } = await list(promptId, { from: '2026-03-08', to: '2026-03-08' });
  const ofDay = times.map((at) => at.toISOString()).filter((time) => time.startsWith('2026-03-08'));
  expect(items.map(({ time }) => time)).toEqual(ofDay);
});

test('a page makes ten calls at most, however long nobody fetched, and its cursor leads to the earlier entries', async () => {
  const promptId = newId();
  await recordAccess(table, access(promptId, { at: new Date('2016-05-01T00:00:00.000Z') }));
  await recordAccess(table, access(promptId, { at: new Date('2016-03-31T23:59:59.999Z') }));
  const { counted, calls } = countingCalls(table);
  let pages = 0;
  const found = await allPages(
    (continued) =>
      listAccesses(counted, promptId, { from: '2016-03-01', to: '2026-03-10', limit: 1, ...continued }),
    ({ items }) => {
      expect(calls.splice(0).length).toBeLessThanOrEqual(10);
      pages += 1;
      return items.map(({ time }) => time);
    },
  );
  expect(found).toEqual(['2016-05-01T00:00:00.000Z', '2016-03-31T23:59:59.999Z']);
  expect(pages).toBeLessThan(70);
});

test.each([
  { most: 100, since: '2026-03-08T12:00:00.000Z' },
  { most: 28, since: '2026-03-09' },
  { most: 8, since: '2026-03-10' },
])(
  'at most the latest $most entries are read, and none since the returned time is missing',
  async ({ most, since }) => {
    const promptId = newId();
    const hoursAgo = (count: number) => new Date(NOON.getTime() - count * 60 * 60_000);
    for (let hour = 0; hour < 50; hour++) await recordAccess(table, access(promptId, { at: hoursAgo(hour) }));
    const from = '2026-03-08T12:00:00.000Z';
    const found = await recentAccesses(table, { promptId, createdAt: from }, from, NOON, most);
    expect(found.since >= since && found.since >= from).toBe(true);
    const all = Array.from({ length: 50 }, (_, hour) => hoursAgo(hour).toISOString());
    expect(found.entries.map(({ time }) => time).sort()).toEqual(
      all.filter((time) => time >= found.since).sort(),
    );
    expect(found.entries.length).toBeGreaterThan(0);
  },
);

const START = NOON.getTime();
const DAY = '2026-03-10';
const ENTRIES = 30;

const shardIn = (pk: unknown): number => Number(/#(\d+)$/.exec(String(pk))?.[1]);

/** A container whose first four shards are throttled and, unless `wide`, the writes of the number of shards too. */
const throttledContainer = ({ wide = true } = {}) => {
  const written: string[] = [];
  const watched = intercepted(table, async ({ name, input }, next) => {
    const pk = String((input.Item as Item | undefined)?.pk);
    if (name !== 'PutCommand') return next();
    if (pk.startsWith(PARTITIONS.entryShards) ? !wide : shardIn(pk) < 4 && written.length % 3 === 0) {
      written.push('throttled');
      throw throttled();
    }
    written.push(pk);
    return next();
  });
  return { table: { ...watched, wideSources: new Set<string>() }, written };
};

const fetchedOn = (on: Table, promptId: string, n: number) =>
  recordAccess(on, accessOf({ promptId, at: new Date(START + n * 1_000), apiKeyId: 'k' }));

test('a throttled source of entries gets more shards, and readers of the entries find all of them', async () => {
  const { promptId } = await newPrompt(table, { at: new Date(START - 60_000) });
  const { table: container, written } = throttledContainer();
  for (let n = 0; n < ENTRIES; n++) expect(await fetchedOn(container, promptId, n)).toBeUndefined();
  const shards = written.filter((pk) => pk.startsWith(PARTITIONS.access)).map(shardIn);
  expect(Math.max(...shards)).toBeGreaterThanOrEqual(4);
  expect(Math.max(...shards)).toBeLessThan(WIDE_SHARDS);
  expect(
    written.indexOf(`${PARTITIONS.entryShards}${PARTITIONS.access}${promptId}#${DAY.slice(0, 7)}`),
  ).toBeLessThan(written.findIndex((pk) => pk.startsWith(PARTITIONS.access) && shardIn(pk) >= 4));
  const range = { from: DAY, to: DAY, limit: 100 };
  expect((await listAccesses(table, promptId, range)).items).toHaveLength(ENTRIES);
  const recent = await recentAccesses(
    table,
    { promptId, createdAt: DAY },
    `${DAY}T00:00:00.000Z`,
    NOON,
    1_000,
  );
  expect(recent.entries).toHaveLength(ENTRIES);
});

test('reads of secrets in more shards are all in the audit log', async () => {
  const { table: container } = throttledContainer();
  for (let n = 0; n < ENTRIES; n++)
    await writeAuditRead(container, readOf({ at: new Date(START + n * 1_000), requestId: `r${n}` }));
  expect(container.wideSources.size).toBe(1);
  const { entries } = await listAudit(table, { from: DAY, to: DAY, kind: 'read', limit: 100 });
  expect(entries).toHaveLength(ENTRIES);
});

test('if the additional shards cannot be recorded, entries stay in the shards that readers know', async () => {
  const { promptId } = await newPrompt(table);
  const { table: container, written } = throttledContainer({ wide: false });
  for (let n = 0; n < 10; n++) expect(await fetchedOn(container, promptId, n)).toBeUndefined();
  expect(written).toContain('throttled');
  expect(written.filter((pk) => shardIn(pk) >= 4)).toEqual([]);
});

test('a counter counts entries of 128 shards in updates that DynamoDB accepts, each entry once', async () => {
  const expressions: string[] = [];
  const watched = intercepted(table, ({ input }, next) => {
    expressions.push(String(input.UpdateExpression), String(input.ConditionExpression));
    return next();
  });
  const use = { promptId: 'prm_wide', version: '1.0.0', apiKeyId: 'k' };
  const entries = Array.from({ length: 3 * WIDE_SHARDS }, (_, i) => ({
    source: String(i % WIDE_SHARDS),
    sequence: String(i).padStart(40, '0'),
    at: new Date(START + i).toISOString(),
  }));
  const counter = usageCounter(DAY, use);
  await addToCounter(watched, counter, entries.slice(0, 200));
  await addToCounter(watched, counter, entries);
  expect(await countersOf(table, { ...use, createdAt: DAY }, DAY, new Date(DAY))).toMatchObject([
    { count: entries.length, lastAt: entries.at(-1)?.at },
  ]);
  for (const expression of expressions) {
    expect(expression.length).toBeLessThan(4_096);
    expect((expression.match(/[<=(+]|AND|OR/g) ?? []).length).toBeLessThan(300);
  }
});
