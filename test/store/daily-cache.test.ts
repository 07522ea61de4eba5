import { createDailyCache, lastDays } from '../../lambdas/store/daily-cache.ts';

const one = (_day: string): number => 1;

const reading = ({ bytesOf = one, maxBytes = 1_000 } = {}) => {
  const read: string[] = [];
  const memory = createDailyCache(
    (day) => {
      read.push(day);
      return Promise.resolve(day);
    },
    bytesOf,
    maxBytes,
  );
  return { read, memory };
};

test('the last days end today (UTC), oldest first', () => {
  expect(lastDays(3, new Date('2026-03-01T00:00:00Z'))).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
});

test('a past day is read once, today and yesterday every time', async () => {
  const { read, memory } = reading();
  const noon = new Date('2026-03-03T12:00:00Z');
  expect(await memory(3, noon)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
  expect(await memory(3, noon)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
  expect(read.sort()).toEqual(['2026-03-01', '2026-03-02', '2026-03-02', '2026-03-03', '2026-03-03']);
});

test('a day is final only 24 hours after its end: until then the stream may add to it', async () => {
  const { read, memory } = reading();
  const just = new Date('2026-03-03T23:59:00Z');
  await memory(2, just);
  await memory(2, just);
  expect(read.filter((day) => day === '2026-03-02')).toHaveLength(2);
});

test('the cache is bounded in bytes: the oldest days are evicted first', async () => {
  const { read, memory } = reading({ bytesOf: (day) => (day === '2026-03-02' ? 40 : 30), maxBytes: 100 });
  const midnight = new Date('2026-03-06T00:30:00Z');
  await memory(6, midnight);
  read.length = 0;
  await memory(6, midnight);
  expect(read.sort()).toEqual(['2026-03-01', '2026-03-05', '2026-03-06']);
  read.length = 0;
  const next = new Date('2026-03-07T00:30:00Z');
  await memory(6, next);
  await memory(6, next);
  expect(read.sort()).toEqual([
    ...['2026-03-02', '2026-03-05', '2026-03-06', '2026-03-06', '2026-03-07', '2026-03-07'],
  ]);
});

test('a day larger than the cache is read every time', async () => {
  const { read, memory } = reading({ bytesOf: () => 101, maxBytes: 100 });
  for (let n = 0; n < 2; n++) await memory(3, new Date('2026-03-03T12:00:00Z'));
  expect(read.filter((day) => day === '2026-03-01')).toHaveLength(2);
});

test('concurrent calls read a past day once', async () => {
  const { read, memory } = reading();
  const noon = new Date('2026-03-03T12:00:00Z');
  await Promise.all([memory(3, noon), memory(3, noon)]);
  expect(read.filter((day) => day === '2026-03-01')).toHaveLength(1);
});

test('a day that could not be read is read again', async () => {
  let failures = 1;
  const memory = createDailyCache(
    (day) => (failures-- > 0 ? Promise.reject(new Error('no answer')) : Promise.resolve(day)),
    one,
  );
  const later = new Date('2026-03-05T12:00:00Z');
  await expect(memory(1, new Date('2026-03-04T12:00:00Z'))).rejects.toThrow('no answer');
  expect(await memory(2, later)).toEqual(['2026-03-04', '2026-03-05']);
});
