import { infiniteQueryOptions, keepPreviousData, type QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** How many rows a list shows at first, and how many more at a time. */
const PAGE = 100;
/** The maximum page size of a list. */
const LARGE_PAGE = 200;

/** The page to request: the first, or the one of a cursor. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

interface ListPage {
  readonly cursor?: string | undefined;
}

/** A list that a screen shows page by page. While another list takes its place, the last one stays. */
export const listQuery = <Page extends ListPage>(
  queryKey: QueryKey,
  read: (page: PageQuery, signal: AbortSignal) => Promise<Page>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      read({ limit: PAGE, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
  });

/** Yields the pages of a list, read one after another on demand. Errors: those of `read`. */
export async function* pagesFrom<Page extends ListPage>(
  read: (page: PageQuery) => Promise<Page>,
): AsyncGenerator<Page, void, void> {
  let cursor: string | undefined;
  do {
    const page = await read({ limit: LARGE_PAGE, ...(cursor && { cursor }) });
    yield page;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** The rows of all pages of a list; `onCount` receives their number so far. Errors: those of `read`. */
export const readAll = async <Page extends ListPage, Row>(
  read: (page: PageQuery) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
  onCount?: (count: number) => void,
): Promise<Row[]> => {
  const rows: Row[] = [];
  for await (const page of pagesFrom(read)) {
    rows.push(...rowsOf(page));
    onCount?.(rows.length);
  }
  return rows;
};

/**
 * Returns a function that makes a change. `keep` shows its result immediately; everything else under the key is read
 * again, also after an error, which outdated data may have caused.
 */
export const changesOf =
  (queryKey: QueryKey) =>
  async <Reply>(reply: Promise<Reply>, keep?: (reply: Reply) => void): Promise<Reply> => {
    try {
      const done = await reply;
      // A read that began before the change must not restore the old data.
      await queryClient.cancelQueries({ queryKey });
      keep?.(done);
      return done;
    } finally {
      void queryClient.invalidateQueries({ queryKey });
      // It shows something of everything.
      void queryClient.invalidateQueries({ queryKey: ['overview'] });
    }
  };
