import { daysOf } from '../../lambdas/core/lists/day-ranges.ts';

const now = new Date('2026-03-10T12:00:00Z');

test('a range ends today at the latest, and begins with the oldest day that is kept', () => {
  expect(daysOf({ from: '2026-01-01', to: '2027-01-01' }, now, 10)).toEqual({
    from: '2026-02-28',
    to: '2026-03-10',
  });
});

test('by default, a range is the thirty days up to its last', () => {
  expect(daysOf({}, now, 90)).toEqual({ from: '2026-02-09', to: '2026-03-10' });
  expect(daysOf({ to: '2026-03-01' }, now, 90)).toEqual({ from: '2026-01-31', to: '2026-03-01' });
});
