/** The most entries that a list gives at once. */
const LARGE_PAGE = 200;

/** What to ask a list for: the first page, or the one that a cursor leads to. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

/** The pages of a list, read one after another for as long as they are asked for. Errors: those of `read`. */
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
