import fc from 'fast-check';
import { daysOf } from '../../../lambdas/core/lists/day-ranges.ts';
import {
  choicesIn,
  decodeEntryCursor,
  encodeCursor,
  type Paging,
  pageOfList,
} from '../../../lambdas/core/lists/lists.ts';
import { allPages } from '../../support/pages.ts';

interface Entry {
  readonly id: string;
  readonly key: string | number;
}

const sorting = (descending: boolean) => ({
  sortedBy: ({ key }: Entry) => key,
  idOf: ({ id }: Entry) => id,
  descending,
});

const pagesOf = (list: readonly Entry[], descending: boolean, limit: number): Promise<Entry[]> =>
  allPages(
    async (continued) => pageOfList(list, sorting(descending), { limit, ...continued }),
    ({ total, entries }) => {
      expect(total).toBe(list.length);
      return entries;
    },
  );

test('the pages of a list together are the whole list, sorted, each entry once', async () => {
  const entry = fc.record({ id: fc.string(), key: fc.oneof(fc.constantFrom(1, 2, 3)) });
  const entries = fc.uniqueArray(entry, { selector: ({ id }) => id });
  await fc.assert(
    fc.asyncProperty(
      entries,
      fc.boolean(),
      fc.integer({ min: 1, max: 5 }),
      async (list, descending, limit) => {
        const sorted = list.toSorted((a, b) => a.key - b.key || (a.id < b.id ? -1 : 1));
        expect(await pagesOf(list, descending, limit)).toEqual(descending ? sorted.toReversed() : sorted);
      },
    ),
  );
});

test('pages are also limited in bytes, contain at least one entry, and together are the whole list', async () => {
  const large = '\u0001'.repeat(200_000);
  const list = Array.from({ length: 10 }, (_, n) => ({ id: `${n}`, key: n, large }));
  const first = pageOfList(list, sorting(false), { limit: 200 });
  expect(first.entries.length).toBeLessThan(3);
  expect(await pagesOf(list, false, 200)).toEqual(list);
  const huge = [{ id: 'a', key: 'a', large: 'x'.repeat(9_000_000) }];
  expect(pageOfList(huge, sorting(false), { limit: 200 }).entries).toHaveLength(1);
  expect(choicesIn(Array.from({ length: 3 }, (_, n) => `${n}`.repeat(400_000)))).toHaveLength(2);
});

test('the page after a removed entry begins with its successor', () => {
  const list = ['a', 'b', 'c', 'd'].map((id) => ({ id, key: id }));
  const { cursor } = pageOfList(list, sorting(false), { limit: 2 });
  const without = list.filter(({ id }) => id !== 'b');
  expect(pageOfList(without, sorting(false), { limit: 2, cursor }).entries.map(({ id }) => id)).toEqual([
    'c',
    'd',
  ]);
});

const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each(['junk', '', cursorOf(7), cursorOf([1]), cursorOf([{}, 'x']), cursorOf(['x', 7]), cursorOf(null)])(
  'a cursor that no list has returned is refused: %s',
  (cursor) => {
    const page = (paging: Paging) => pageOfList([], sorting(false), paging);
    expect(() => page({ limit: 1, cursor })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  },
);

test.each([
  'junk',
  cursorOf(7),
  encodeCursor('2026'),
  encodeCursor('2026-13-45T00:00:00.000Z#r'),
  encodeCursor('2026-03-01T99:00:00.000Z#r'),
  encodeCursor('2027-01-01T00:00:00.000Z#r'),
  encodeCursor(`2026-03-01T00:00:00.000Z#${'r'.repeat(1_100)}`),
])('a cursor that no list of entries until a day has returned is refused: %s', (cursor) => {
  expect(() => decodeEntryCursor(cursor, '2026-12-31')).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
});

const NOW = new Date('2026-03-31T23:59:59Z');
const MORNING = '2026-03-31T05:00:00.000Z';
const NOON = '2026-03-31T12:00:00.000Z';
const TODAY = '2026-03-31';

test.each<[Parameters<typeof daysOf>[0], from: string, to: string]>([
  [{}, '2026-03-02', TODAY],
  [{ to: '2026-01-30' }, '2026-01-01', '2026-01-30'],
  [{ from: TODAY, to: TODAY }, TODAY, TODAY],
  [{ from: MORNING, to: NOON }, MORNING, NOON],
  [{ from: NOON, to: TODAY }, NOON, TODAY],
  [{ to: NOON }, '2026-03-02', NOON],
  [{ from: NOON, to: '2026-04-01T05:00:00.000Z' }, NOON, TODAY],
])(
  'a range ends today and begins 29 days before its end unless it says otherwise, also within a day: %j',
  (given, from, to) => {
    expect(daysOf(given, NOW, 90)).toEqual({ from, to });
  },
);

test.each([{ from: '2026-04-01' }, { from: NOON, to: MORNING }])(
  'a range that ends before it begins is refused: %j',
  (given) => {
    expect(() => daysOf(given, NOW, 90)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  },
);

test('a range of days is limited to days with entries', () => {
  const reaching = (from: string, to: string) => daysOf({ from, to }, NOW, 90);
  expect(reaching('0001-01-01', '9999-12-31')).toEqual({ from: '2025-12-31', to: '2026-03-31' });
  for (const { from, to } of [reaching('0001-01-01', '1999-12-31'), reaching('9000-01-01', '9999-12-31')]) {
    expect(from > to).toBe(true);
  }
});
