/** The query parameters of a list, under a name. */
export interface SavedFilter {
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
}

/** So many filters of a list are kept. */
export const MOST_FILTERS = 20;

// One entry is not part of a filter, and nobody wants to return to a page that shows it.
const NOT_FILTERS = ['entry'];

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

/** The filters in a text; what another program has put there is left out. */
export const filtersIn = (text = '[]'): readonly SavedFilter[] => {
  try {
    return (JSON.parse(text) as unknown[]).filter(isSaved);
  } catch {
    return [];
  }
};

/** The filters with one more, in place of one of the same name; without `search`, they lack it. */
export const withFilter = (
  saved: readonly SavedFilter[],
  name: string,
  search?: SavedFilter['search'],
): readonly SavedFilter[] =>
  [...saved.filter((one) => one.name !== name), ...(search === undefined ? [] : [{ name, search }])].sort(
    (a, b) => a.name.localeCompare(b.name),
  );
