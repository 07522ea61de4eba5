interface Page {
  readonly cursor?: string | undefined;
}

/** What all pages of a list hold together; `fetchPage` gets the cursor of the page before. */
export const allPages = async <Fetched extends Page, Entry>(
  fetchPage: (continued: { cursor?: string }) => Promise<Fetched>,
  entriesOf: (page: Fetched) => readonly Entry[],
): Promise<Entry[]> => {
  const all: Entry[] = [];
  let cursor: string | undefined;
  do {
    const page = await fetchPage(cursor === undefined ? {} : { cursor });
    all.push(...entriesOf(page));
    ({ cursor } = page);
  } while (cursor !== undefined);
  return all;
};
