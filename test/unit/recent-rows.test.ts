import { createRecentRows } from '../../lambdas/store/batched-reads.ts';

const opened = ({ random = 0 }: { random?: number } = {}) => {
  let at = 1_000_000;
  const rows = createRecentRows<string>({ now: () => at, random: () => random });
  return {
    ...rows,
    read: (row: string) => rows.keep('id', row, at),
    pass: (ms: number) => {
      at += ms;
    },
  };
};

test.each([
  [0, 500],
  [1, 900],
])(
  'a cached row is read again at an age that differs between containers: random %d, %d ms',
  (random, due) => {
    const rows = opened({ random });
    rows.throttled('id');
    rows.read('row');
    rows.pass(due - 1);
    expect(rows.cachedWhileThrottled('id')).toBe('row');
    rows.pass(1);
    expect(rows.cachedWhileThrottled('id')).toBeUndefined();
    expect(rows.throttled('id')).toBe('row');
  },
);

test('ten seconds after the last throttled read, every call reads again', () => {
  const rows = opened();
  rows.throttled('id');
  rows.pass(9_999);
  rows.read('row');
  expect(rows.cachedWhileThrottled('id')).toBe('row');
  rows.pass(1);
  expect(rows.cachedWhileThrottled('id')).toBeUndefined();
});

test('a row is not used if the clock was set back', () => {
  const rows = opened();
  rows.read('row');
  rows.pass(-1);
  expect(rows.throttled('id')).toBeUndefined();
});
