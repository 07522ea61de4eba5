import { auditList } from '../../../contract/endpoints/audit-list.ts';
import { dayOf } from '../../../lambdas/core/days.ts';
import { auditChange } from '../../../lambdas/store/audit.ts';
import { writeAuditRead } from '../../../lambdas/store/audit-calls.ts';
import { transact } from '../../../lambdas/store/transactions.ts';
import { ask, refused } from '../../support/admin.ts';
import { type OwnInstance, ownInstance } from '../../support/shared/instance.ts';

type Query = Record<string, string | number>;

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const day = (days: number): string => dayOf(daysAgo(days));

/** How many days ago something was changed or read; each item is named by its day. */
const CHANGES = [1, 20, 45, 75, 130, 390, 420];
const READS = [2, 20.5, 45.5, 52];

const change = ({ table }: OwnInstance, days: number) => {
  const by = {
    at: daysAgo(days),
    actor: days > 50 ? 'bob@example.com' : 'ada@example.com',
    requestId: 'r',
    isAdmin: true,
  };
  const action = days % 2 === 0 ? 'label.set' : 'secret.create';
  const entry = { action, subject: `id${days}`, name: `Thing ${days}` };
  return transact(table, [auditChange(table, by, entry)]);
};

const read = ({ table }: OwnInstance, days: number) =>
  writeAuditRead(table, {
    ...{ at: daysAgo(days), requestId: `r${days * 10}`, apiKeyId: `key${days}`, apiKeyName: 'Nightly' },
    ...{ sourceIp: '::1', userAgent: 'x', filter: days === 52 ? { key: 'OLD_KEY' } : { tags: ['t'] } },
    ...{ restriction: [], revision: 1, count: 1, digest: 'd' },
  });

let instance: OwnInstance;
beforeAll(async () => {
  instance = await ownInstance();
  for (const days of CHANGES) await change(instance, days);
  for (const days of READS) await read(instance, days);
});
afterAll(() => instance.stop());

const daysOf = (entries: { at: string }[]): number[] =>
  entries.map(({ at }) => Math.round((Date.now() - Date.parse(at)) / 43_200_000) / 2);
// The first key of a new instance was created just now.
const listed = async (query: Query): Promise<number[]> => {
  const found: number[] = [];
  let cursor: string | undefined;
  do {
    const next = { ...query, ...(cursor === undefined ? {} : { cursor }) };
    const page = await ask(instance, auditList, { query: next });
    expect(page.entries.length).toBeLessThanOrEqual(Number(query.limit));
    found.push(...daysOf(page.entries).filter((days) => days > 0));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
};

// Reads have one partition per day, changes one per month: searching every day that is kept would take a while.
const MONTHS = { from: day(55) };
const YEARS = { from: '2001-01-01', to: '2999-12-31', kind: 'change' };

test.each<[Query, number[]]>([
  [{}, [1, 2, 20, 20.5]],
  [MONTHS, [1, 2, 20, 20.5, 45, 45.5, 52]],
  [YEARS, [1, 20, 45, 75, 130, 390]],
  [{ ...MONTHS, kind: 'change' }, [1, 20, 45]],
  [{ ...MONTHS, kind: 'read' }, [2, 20.5, 45.5, 52]],
  [{ from: day(45), to: day(20) }, [20, 20.5, 45, 45.5].filter((days) => day(days) >= day(45))],
  [{ from: day(75), to: day(75) }, [75]],
  [{ from: day(130), to: day(46), kind: 'change' }, [75, 130]],
  [{ to: day(50) }, [52, 75]],
  [{ ...MONTHS, action: 'secret' }, [1, 2, 20.5, 45, 45.5, 52]],
  [{ ...YEARS, action: 'label' }, [20, 130, 390]],
  [{ ...YEARS, action: 'secret.create' }, [1, 45, 75]],
  [{ ...YEARS, action: 'label', actor: 'ADA' }, [20]],
  [{ ...YEARS, actor: 'bob@example.com' }, [75, 130, 390]],
  [{ ...MONTHS, actor: 'nightly' }, [2, 20.5, 45.5, 52]],
  [{ ...MONTHS, actor: 'key52' }, [52]],
  [{ ...YEARS, subject: 'id75' }, [75]],
  [{ ...YEARS, subject: 'thing 1' }, [1, 130]],
  [{ ...MONTHS, subject: 'old_key' }, [52]],
  [{ subject: 'nothing' }, []],
])('%j returns the matching entries, newest first', async (query, expected) => {
  expect(await listed({ limit: 200, ...query })).toEqual(expected);
});

test('the pages together are the whole list, across months without entries', async () => {
  for (const query of [MONTHS, YEARS, { ...MONTHS, actor: 'nightly' }])
    expect(await listed({ ...query, limit: 2 })).toEqual(await listed({ ...query, limit: 200 }));
});

test.each<Query>([
  ...[{ kind: 'all' }, { limit: 0 }, { limit: 201 }, { action: '' }, { actor: '' }, { subject: '' }],
  ...[{ from: 'yesterday' }, { from: '2026-02-30' }, { to: '2026-1-1' }, { cursor: 'junk' }],
])('an invalid query is rejected, naming the parameter: %j', async (query) => {
  const [name = ''] = Object.keys(query);
  expect(await refused(instance, auditList, 'invalid_request', { query })).toContain(`"${name}"`);
});
