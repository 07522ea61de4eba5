import {
  filterIn,
  isSameFilter,
  savedFilters,
  saveFilter,
} from '../../../admin-ui/src/components/tables/saved-filters.ts';

const storage = (): Storage => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as Storage;
};

test('a filter is saved, replaced and removed by name, for its own list', () => {
  const browser = storage();
  saveFilter(browser, 'secrets', 'overdue', { rotate: 'overdue' });
  saveFilter(browser, 'secrets', 'b', { q: 'x' });
  saveFilter(browser, 'secrets', 'b', { q: 'y' });
  expect(savedFilters(browser, 'secrets')).toEqual([
    { name: 'b', search: { q: 'y' } },
    { name: 'overdue', search: { rotate: 'overdue' } },
  ]);
  expect(savedFilters(browser, 'prompts')).toEqual([]);
  saveFilter(browser, 'secrets', 'b');
  expect(savedFilters(browser, 'secrets').map(({ name }) => name)).toEqual(['overdue']);
});

test.each(['', '{', 'null', '[1]', '[{"name":"a"}]', '[{"name":"a","search":{"q":1}}]'])(
  'what is not a list of filters is ignored: %s',
  (text) => {
    const browser = storage();
    browser.setItem('cuevault.filters.audit', text);
    expect(savedFilters(browser, 'audit')).toEqual([]);
  },
);

test('the order of parameters does not matter, and an open entry is not part of a filter', () => {
  const filter = filterIn({ kind: 'read', actor: 'ci', entry: 'e1', from: undefined });
  expect(filter).toEqual({ kind: 'read', actor: 'ci' });
  expect(isSameFilter(filter, { actor: 'ci', kind: 'read' })).toBe(true);
  expect(isSameFilter(filter, { kind: 'read' })).toBe(false);
});
