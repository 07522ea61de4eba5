// A row that changes its format, as a later release could bring it: signed, readable in both formats.
import type { Migration, Release } from '../../lambdas/store/format.ts';
import { queryPage } from '../../lambdas/store/query-page.ts';
import { type RowKind, SIGNATURE, signedItem, verifiedRow } from '../../lambdas/store/signing/rows.ts';
import { type Item, putItem, putItemIf, type Table } from '../../lambdas/store/table.ts';

export interface Author {
  readonly id: number;
  readonly given: string;
  readonly family: string;
}

const PARTITION = 'AUTHORS';
const PAGE = 3;

const keyOf = ({ id }: Pick<Author, 'id'>) => ({
  pk: PARTITION,
  sk: `AUTHOR#${String(id).padStart(3, '0')}`,
});
const shared = { keyOf, revisionOf: () => 1 };

/** The former format: the names in one field. */
const FORMER: RowKind<Author> = {
  ...shared,
  domain: 'author/1',
  fieldsOf: ({ given, family }) => [`${given} ${family}`],
  toItem: ({ given, family, ...author }) => ({ ...keyOf(author), ...author, name: `${given} ${family}` }),
  fromItem: ({ id, name }) => {
    const [given = '', family = ''] = String(name).split(' ');
    return { id: Number(id), given, family };
  },
};

const CURRENT: RowKind<Author> = {
  ...shared,
  domain: 'author/2',
  fieldsOf: ({ given, family }) => [given, family],
  toItem: (author) => ({ ...keyOf(author), ...author }),
  fromItem: ({ id, given, family }) => ({ id: Number(id), given: String(given), family: String(family) }),
};

const isFormer = (item: Item): boolean => 'name' in item;

// The reader of both formats.
const read = (table: Table, item: Item): Author =>
  verifiedRow(table, isFormer(item) ? FORMER : CURRENT, { pk: String(item.pk), sk: String(item.sk) }, item);

export const writeAuthor = async (table: Table, author: Author, format: 1 | 2): Promise<void> =>
  putItem(table, await signedItem(table, format === 1 ? FORMER : CURRENT, author));

const pageOf = (table: Table, limit: number, cursor?: string) =>
  queryPage(
    table,
    { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': PARTITION } },
    limit,
    cursor,
  );

/** All authors, and how many of them are still in the former format. */
export const readAuthors = async (table: Table): Promise<{ authors: Author[]; former: number }> => {
  const { items } = await pageOf(table, 100);
  return { authors: items.map((item) => read(table, item)), former: items.filter(isFormer).length };
};

const migrateRow = async (table: Table, item: Item): Promise<void> => {
  await putItemIf(table, {
    Item: await signedItem(table, CURRENT, read(table, item)),
    ConditionExpression: '#signature = :read',
    ExpressionAttributeNames: { '#signature': SIGNATURE },
    ExpressionAttributeValues: { ':read': item[SIGNATURE] },
  });
};

/** Calls `onRow` before it migrates a row. */
export const migrationOf = (onRow: (author: Author) => void = () => undefined): Migration => ({
  to: 2,
  step: async (table, from) => {
    const { items, cursor } = await pageOf(table, PAGE, from);
    for (const item of items.filter(isFormer)) {
      onRow(read(table, item));
      await migrateRow(table, item);
    }
    return cursor;
  },
});

/** Four releases, one after the other. */
export const RELEASES = {
  /** Knows only the former format. */
  first: { formats: { oldest: 1, written: 1, newest: 1 }, migrations: [] },
  /** Reads both. */
  second: { formats: { oldest: 1, written: 1, newest: 2 }, migrations: [] },
  /** Reads both, writes the new one, and migrates. */
  third: { formats: { oldest: 1, written: 2, newest: 2 }, migrations: [migrationOf()] },
  /** Reads only the new one. */
  fourth: { formats: { oldest: 2, written: 2, newest: 2 }, migrations: [] },
} satisfies Record<string, Release>;
