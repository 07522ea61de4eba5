import {
  filterIn,
  filtersIn,
  isSameFilter,
  withFilter,
} from '../../../admin-ui/src/components/tables/saved-filters.ts';

test('a filter is saved, replaced and removed by name', () => {
  const overdue = withFilter([], 'overdue', { rotate: 'overdue' });
  const saved = withFilter(withFilter(overdue, 'b', { q: 'x' }), 'b', { q: 'y' });
  expect(saved).toEqual([
    { name: 'b', search: { q: 'y' } },
    { name: 'overdue', search: { rotate: 'overdue' } },
  ]);
  expect(withFilter(saved, 'b')).toEqual(overdue);
});

test.each([undefined, '', '{', 'null', '[1]', '[{"name":"a"}]', '[{"name":"a","search":{"q":1}}]'])(
  'what is not a list of filters is ignored: %s',
  (text) => expect(filtersIn(text)).toEqual([]),
);

test('the order of parameters does not matter, and an open entry is not part of a filter', () => {
  const filter = filterIn({ kind: 'read', actor: 'ci', entry: 'e1', from: undefined });
  expect(filter).toEqual({ kind: 'read', actor: 'ci' });
  expect(isSameFilter(filter, { actor: 'ci', kind: 'read' })).toBe(true);
  expect(isSameFilter(filter, { kind: 'read' })).toBe(false);
});
