import { PARTITIONS } from '../../../contract/table.ts';
import { WIDE_SHARDS } from '../../../lambdas/store/entry-shards.ts';
import { writeAuditRead } from '../../../lambdas/store/secrets/audit-read.ts';
import type { Item, Table } from '../../../lambdas/store/table.ts';
import { listAccesses, recentAccesses } from '../../../lambdas/store/usage/access-lists.ts';
import { recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import { addToCounter, countersOf, usageCounter } from '../../../lambdas/store/usage/counters.ts';
import { listAudit } from '../../../lambdas/store/views/audit-list.ts';
import { intercepted, throttled } from '../../support/aws/intercept.ts';
import { readOf } from '../../support/rows/audit.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { table, withTestTable } from '../../support/rows/table.ts';
import { accessOf } from '../../support/rows/usage.ts';

withTestTable();

const NOON = Date.parse('2026-03-10T12:00:00.000Z');
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

const access = (on: Table, promptId: string, n: number) =>
  recordAccess(on, accessOf({ promptId, at: new Date(NOON + n * 1_000), apiKeyId: 'k' }));

test('a throttled source of entries gets more shards, and readers of the entries find all of them', async () => {
  const { promptId } = await newPrompt(table, { at: new Date(NOON - 60_000) });
  const { table: container, written } = throttledContainer();
  for (let n = 0; n < ENTRIES; n++) expect(await access(container, promptId, n)).toBeUndefined();
  const shards = written.filter((pk) => pk.startsWith(PARTITIONS.access)).map(shardIn);
  expect(Math.max(...shards)).toBeGreaterThanOrEqual(4);
  expect(Math.max(...shards)).toBeLessThan(WIDE_SHARDS);
  expect(
    written.indexOf(`${PARTITIONS.entryShards}${PARTITIONS.access}${promptId}#${DAY.slice(0, 7)}`),
  ).toBeLessThan(written.findIndex((pk) => pk.startsWith(PARTITIONS.access) && shardIn(pk) >= 4));
  const range = { from: DAY, to: DAY, limit: 100 };
  expect((await listAccesses(table, promptId, range)).items).toHaveLength(ENTRIES);
  const recent = await recentAccesses(table, promptId, `${DAY}T00:00:00.000Z`, new Date(NOON), 1_000);
  expect(recent.entries).toHaveLength(ENTRIES);
});

test('reads of secrets in more shards are all in the audit log', async () => {
  const { table: container } = throttledContainer();
  for (let n = 0; n < ENTRIES; n++)
    await writeAuditRead(container, readOf({ at: new Date(NOON + n * 1_000), requestId: `r${n}` }));
  expect(container.wideSources.size).toBe(1);
  const { entries } = await listAudit(table, { from: DAY, to: DAY, kind: 'read', limit: 100 });
  expect(entries).toHaveLength(ENTRIES);
});

test('if the additional shards cannot be recorded, entries stay in the shards that readers know', async () => {
  const { promptId } = await newPrompt(table);
  const { table: container, written } = throttledContainer({ wide: false });
  for (let n = 0; n < 10; n++) expect(await access(container, promptId, n)).toBeUndefined();
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
    at: new Date(NOON + i).toISOString(),
  }));
  const counter = usageCounter(DAY, use);
  await addToCounter(watched, counter, entries.slice(0, 200));
  await addToCounter(watched, counter, entries);
  expect(await countersOf(table, use.promptId, DAY, new Date(DAY))).toMatchObject([
    { count: entries.length, lastAt: entries.at(-1)?.at },
  ]);
  for (const expression of expressions) {
    expect(expression.length).toBeLessThan(4_096);
    expect((expression.match(/[<=(+]|AND|OR/g) ?? []).length).toBeLessThan(300);
  }
});
