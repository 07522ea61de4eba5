import { writeAuditRefusal } from '../../../lambdas/http/refusals.ts';
import { auditChange, type Change } from '../../../lambdas/store/audit.ts';
import { writeAuditRead } from '../../../lambdas/store/secrets/audit-read.ts';
import type { Item, Table } from '../../../lambdas/store/table.ts';
import { transact } from '../../../lambdas/store/transactions.ts';
import { type AuditListing, listAudit } from '../../../lambdas/store/views/audit-list.ts';
import { recentRefusals } from '../../../lambdas/store/views/refusals.ts';
import { beforeEachCall, countingCalls } from '../../support/aws/intercept.ts';
import { allPages } from '../../support/pages.ts';
import { readOf } from '../../support/rows/audit.ts';
import { actorNamed } from '../../support/rows/table.ts';
import { openTestVaults, type TestVaults } from '../../support/rows/vault.ts';

let opened: TestVaults;
let table: Table;
beforeAll(async () => {
  opened = await openTestVaults();
  ({ table } = await opened.open());
  for (const [i, at] of TIMES.entries()) await (i % 2 === 0 ? changed(at, i) : read(at, i));
});
afterAll(() => opened.stop());

// Across the end of a month and a year; even ones are changes, odd ones reads.
const TIMES = [
  '2025-11-30T23:00:00Z',
  '2025-12-01T01:00:00Z',
  '2025-12-31T23:59:59Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:01Z',
  '2026-01-15T12:00:00Z',
  '2026-01-15T12:00:01Z',
  '2026-01-15T12:00:02Z',
];

const changed = (at: string, i: number) => {
  const change: Change = {
    at: new Date(at),
    actor: actorNamed(i > 3 ? 'ada@example.com' : 'bob@example.com'),
    requestId: `r${i}`,
    isAdmin: true,
  };
  const entry = {
    action: i > 3 ? 'label.set' : 'label-x.set',
    subject: `prm_${i}`,
    name: `Name ${i}`,
    details: { i },
  };
  return transact(table, [auditChange(table, change, entry)]);
};

const read = (at: string, i: number) =>
  writeAuditRead(
    table,
    readOf({
      at: new Date(at),
      requestId: `r${i}`,
      apiKeyId: `id${i}`,
      apiKeyName: 'Job',
      sourceIp: '::1',
      filter: i > 3 ? { key: 'K' } : {},
      revision: i,
    }),
  );

const RANGE = { from: '2025-11-01', to: '2026-01-31', limit: 100 };
const list = async (listing: Partial<AuditListing> = {}, on = table) => {
  const fetchPage = (continued: { cursor?: string }) => listAudit(on, { ...RANGE, ...listing, ...continued });
  return allPages(fetchPage, ({ entries }) => {
    expect(entries.length).toBeLessThanOrEqual(listing.limit ?? RANGE.limit);
    return entries.map(({ requestId }) => requestId);
  });
};

test('changes and reads are merged, newest first, across days, shards, months and years, whatever the size of a page', async () => {
  const all = ['r7', 'r6', 'r5', 'r4', 'r3', 'r2', 'r1', 'r0'];
  for (const limit of [1, 3, 8, 100]) expect(await list({ limit })).toEqual(all);
});

test('a page over years without entries takes a bounded number of calls, and its cursor continues', async () => {
  const { counted, calls } = countingCalls(table);
  const years = { ...RANGE, from: '2015-01-01', to: '2025-10-31' };
  const page = await listAudit(counted, years);
  expect(page).toEqual({ entries: [], cursor: expect.any(String) });
  expect(calls.length).toBeLessThanOrEqual(5 + 2);
  expect(await list({ from: '2025-08-01', to: '2026-02-28' })).toEqual(await list());
});

interface Asked {
  readonly Key?: Item;
  readonly ExpressionAttributeValues?: Item;
}

test('a search for an action of operators reads no reads', async () => {
  const partitions: string[] = [];
  const watched = beforeEachCall(table, (_, input) => {
    partitions.push(String((input as Asked).ExpressionAttributeValues?.[':pk']));
  });
  expect(await list({ action: 'label' }, watched)).toEqual(['r6', 'r4', 'r2', 'r0']);
  expect(partitions.filter((pk) => pk.startsWith('AUDIT-READ'))).toEqual([]);
});

test('a page that one month fills reads no earlier month', async () => {
  const partitions = new Set<string>();
  const watched = beforeEachCall(table, (_, input) => {
    const { Key, ExpressionAttributeValues: values } = input as Asked;
    partitions.add(String(Key?.pk ?? values?.[':pk']).replace(/#\d$/, ''));
  });
  const { entries } = await listAudit(watched, { ...RANGE, to: '2026-01-15', limit: 3 });
  expect(entries.map(({ requestId }) => requestId)).toEqual(['r7', 'r6', 'r5']);
  expect([...partitions].sort()).toEqual([
    'AUDIT-CHANGE#2026-01',
    'AUDIT-READ#2026-01',
    'AUDIT-REFUSED#2026-01',
    'ENTRY-SHARDS#AUDIT-READ#2026-01',
  ]);
});

test.each<[Partial<AuditListing>, string[]]>([
  [{ kind: 'change' }, ['r6', 'r4', 'r2', 'r0']],
  [{ kind: 'read' }, ['r7', 'r5', 'r3', 'r1']],
  [{ from: '2026-01-01', to: '2026-01-01' }, ['r4', 'r3']],
  [{ to: '2025-12-01' }, ['r1', 'r0']],
  [{ from: '2026-01-01T00:00:01.000Z', to: '2026-01-15T12:00:00.000Z' }, ['r5', 'r4']],
  [{ from: '2025-12-01T01:00:00.000Z', to: '2026-01-01' }, ['r4', 'r3', 'r2', 'r1']],
  [{ from: '2026-01-15T12:00:01.000Z', to: '2026-01-15T12:00:01.000Z' }, ['r6']],
  [{ from: '2026-01-02' }, ['r7', 'r6', 'r5']],
  [{ action: 'label.set' }, ['r6', 'r4']],
  [{ action: 'label' }, ['r6', 'r4', 'r2', 'r0']],
  [{ action: 'secret.read', subject: 'K' }, ['r7', 'r5']],
  [{ actor: 'ADA@' }, ['r6', 'r4']],
  [{ actor: 'id3' }, ['r3']],
  [{ actor: 'job', kind: 'read', from: '2026-01-15' }, ['r7', 'r5']],
  [{ subject: 'prm_2' }, ['r2']],
  [{ subject: 'name' }, ['r6', 'r4', 'r2', 'r0']],
  [{ subject: 'nothing' }, []],
  [{ subject: 'LABEL name 6' }, ['r6']],
  [{ subject: 'name 6 nothing' }, []],
  [{ action: 'secret.,label.set', from: '2026-01-15' }, ['r7', 'r6', 'r5']],
])('a filter returns the matching entries: %j', async (listing, expected) => {
  expect(await list(listing)).toEqual(expected);
});

test('pages are also limited in bytes, and together are the whole list', async () => {
  const day = '2026-02-10';
  const read = { at: new Date(`${day}T12:00:00Z`), userAgent: '\u0001'.repeat(60_000) };
  for (let i = 0; i < 18; i++) await writeAuditRead(table, readOf({ ...read, requestId: `large-${i}` }));
  const range = { from: day, to: day, limit: 200 };
  const found = await allPages(
    (continued) => listAudit(table, { ...range, ...continued }),
    (page) => {
      expect(JSON.stringify(JSON.stringify(page)).length).toBeLessThan(6_000_000);
      expect(page.entries.length).toBeGreaterThan(0);
      return page.entries.map(({ requestId }) => requestId);
    },
  );
  expect(new Set(found).size).toBe(18);
  expect(found).toHaveLength(18);
});

test('days that are read together after a gap are merged in order, whatever the size of a page', async () => {
  const days = ['2024-03-02', '2024-03-03', '2024-03-04'];
  const times = days.flatMap((day) => [`${day}T08:00:00Z`, `${day}T20:00:00Z`]);
  for (const [i, at] of times.entries()) await read(at, 100 + i);
  for (const limit of [1, 2, 100]) {
    const found = await list({ from: '2024-03-01', to: '2024-03-31', limit });
    expect(found).toEqual(['r105', 'r104', 'r103', 'r102', 'r101', 'r100']);
  }
});

test('the refusals of thirty days that begin in January and end in March include all of February', async () => {
  const times = ['03-01T08:00', '02-14T12:00', '01-31T12:00', '01-29T23:59'].map(
    (at) => `2031-${at}:00.000Z`,
  );
  const refused = { operationId: 'vault-get-secrets', reason: 'expired' } as const;
  for (const at of times)
    await writeAuditRefusal(table, {
      ...readOf({ at: new Date(at), requestId: at, apiKeyId: at }),
      ...refused,
    });
  const found = await recentRefusals(table, 30, new Date('2031-03-01T12:00:00.000Z'));
  expect(found.map(({ lastAt }) => lastAt)).toEqual(times.slice(0, 3));
});
