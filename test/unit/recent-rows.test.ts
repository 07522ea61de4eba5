import { createSharedReads } from '../../lambdas/store/batched-reads.ts';
import { throttling } from '../../lambdas/store/failures.ts';

const opened = ({ random = 0 }: { random?: number } = {}) => {
  let at = 1_000_000;
  const shared = createSharedReads({ now: () => at, random: () => random });
  const throttled = () => Promise.reject(throttling());
  return {
    /** What a call gets if the table has this row. */
    read: (row: string) => shared('id', async () => row),
    /** What a call gets whose first read is throttled. */
    throttled: (later: string) => {
      const reads: (() => Promise<string>)[] = [throttled];
      return shared('id', () => (reads.shift() ?? (async () => later))());
    },
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
  async (random, due) => {
    const { read, throttled, pass } = opened({ random });
    await read('row');
    expect(await throttled('later')).toBe('row');
    pass(due - 1);
    expect(await read('later')).toBe('row');
    pass(1);
    expect(await throttled('later')).toBe('row');
    expect(await read('later')).toBe('later');
  },
);

test('ten seconds after the last throttled read, every call reads again', async () => {
  const { read, throttled, pass } = opened();
  await read('row');
  await throttled('later');
  pass(9_999);
  expect(await read('second')).toBe('second');
  expect(await read('third')).toBe('second');
  pass(1);
  expect(await read('third')).toBe('third');
});

test('a row is not used if the clock was set back', async () => {
  const { read, throttled, pass } = opened();
  await read('row');
  pass(-1);
  expect(await throttled('later')).toBe('later');
});
