/** The maximum page size of a list. */
const LARGE_PAGE = 200;

/** The page to request: the first, or the one of a cursor. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** Yields the pages of a list, read one after another on demand. Errors: those of `read`. */
export async function* pagesFrom<Page extends { readonly cursor?: string | undefined }>(
  read: (page: PageQuery) => Promise<Page>,
): AsyncGenerator<Page, void, void> {
  let cursor: string | undefined;
  do {
    const page = await read({ limit: LARGE_PAGE, ...(cursor && { cursor }) });
    yield page;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
