import { PARTITIONS } from '../../../contract/table.ts';
import { randomBase62 } from '../../core/identifiers.ts';
import { inParallel } from '../../core/parallel.ts';
import { fromRow, type Page, toRow } from '../../core/vault/pages.ts';
import { deleteItem, getItem, type Key, putItem, type Table, type Write } from '../table.ts';
import { type PageRef, StaleHeadError } from './head.ts';

const keyOf = (id: string): Key => ({ pk: PARTITIONS.vaultPage + id, sk: 'PAGE' });

/** A name for a page that is about to be written; `keyVersion` is what an empty page counts as sealed to. */
export const newRef = ({ prefix, entries }: Page, keyVersion: number): PageRef => ({
  prefix,
  id: randomBase62(22),
  keyVersion: entries.reduce((oldest, entry) => Math.min(oldest, entry.keyVersion), keyVersion),
});

const toItem = (id: string, { prefix, entries }: Page) => ({
  ...keyOf(id),
  prefix,
  entries: entries.map(toRow),
});

/** Writes a page under its name. Pages never change. Errors: `unavailable`. */
export const writePage = (table: Table, id: string, page: Page): Promise<void> =>
  putItem(table, toItem(id, page));

/** Writes a page in a transaction. */
export const addPage = (id: string, page: Page): Write => ({ put: { Item: toItem(id, page) } });

/** Removes a page. Errors: `unavailable`. */
export const deletePage = (table: Table, id: string): Promise<void> => deleteItem(table, keyOf(id));

/** Reads a page. Errors: `StaleHeadError` where it is gone, `unavailable`. */
export const readPage = async (table: Table, { id }: Pick<PageRef, 'id'>): Promise<Page> => {
  const item = await getItem(table, keyOf(id));
  if (item === undefined) throw new StaleHeadError();
  return { prefix: item.prefix as string, entries: (item.entries as unknown[][]).map(fromRow) };
};

/** Reads pages in parallel, in the order of their names. Errors: as `readPage`. */
export const readPages = (table: Table, refs: readonly PageRef[]): Promise<Page[]> =>
  inParallel(refs, (ref) => readPage(table, ref));
