/** The query parameters of a list, under a name. */
export interface SavedFilter {
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
}

/** So many filters of a list are kept. */
export const MOST_FILTERS = 20;

// One entry is not part of a filter, and nobody wants to return to a page that shows it.
const NOT_FILTERS = ['entry'];

const keyOf = (list: string): string => `cuevault.filters.${list}`;

const isSaved = (value: unknown): value is SavedFilter => {
  const { name, search } = (value ?? {}) as Partial<SavedFilter>;
  return (
    typeof name === 'string' &&
    typeof search === 'object' &&
    search !== null &&
    Object.values(search).every((text) => typeof text === 'string')
  );
};

/** The filter in the query parameters of a list. */
export const filterIn = (search: object): SavedFilter['search'] =>
  Object.fromEntries(
    Object.entries(search).filter(
      ([name, value]) => typeof value === 'string' && !NOT_FILTERS.includes(name),
    ),
  );

/** Whether two filters show the same. */
export const isSameFilter = (one: SavedFilter['search'], other: SavedFilter['search']): boolean =>
  JSON.stringify(Object.entries(one).toSorted()) === JSON.stringify(Object.entries(other).toSorted());

/** The saved filters of a list, by name; what another program has put there is left out. */
export const savedFilters = (storage: Storage, list: string): readonly SavedFilter[] => {
  try {
    const found: unknown = JSON.parse(storage.getItem(keyOf(list)) ?? '[]');
    return Array.isArray(found) ? found.filter(isSaved) : [];
  } catch {
    return [];
  }
};

/** Saves a filter in this browser, in place of one of the same name; without `search`, removes it. */
export const saveFilter = (
  storage: Storage,
  list: string,
  name: string,
  search?: SavedFilter['search'],
): void => {
  const others = savedFilters(storage, list).filter((one) => one.name !== name);
  const kept = [...(search === undefined ? [] : [{ name, search }]), ...others];
  const sorted = kept.toSorted((a, b) => a.name.localeCompare(b.name));
  storage.setItem(keyOf(list), JSON.stringify(sorted));
};
