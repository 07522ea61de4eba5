import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Item, Key, Table } from '../../lambdas/store/table.ts';
import { createTestSigning } from './signing.ts';

// What someone can do who writes rows of the table by hand and has no right to sign.

/** Reads a row as it is. */
export const rawRow = async ({ documents, name }: Table, key: Key): Promise<Item> => {
  const { Item } = await documents.send(new GetCommand({ TableName: name, Key: key, ConsistentRead: true }));
  if (Item === undefined) throw new Error(`There is no row ${key.pk} / ${key.sk}.`);
  return Item;
};

/** Writes a row as it is. */
export const plantRow = async ({ documents, name }: Table, item: Item): Promise<void> => {
  await documents.send(new PutCommand({ TableName: name, Item: item }));
};

/** Changes attributes of a row, and leaves its signature. */
export const editRow = async (table: Table, key: Key, changes: Item): Promise<void> =>
  plantRow(table, { ...(await rawRow(table, key)), ...changes });

/** The table as another container sees it, which remembers nothing. */
export const inNewContainer = (table: Table): Table => ({
  ...table,
  signing: { ...table.signing, seen: createTestSigning().seen },
});

/** The table for someone who signs with a key of their own. */
export const withForeignKey = (table: Table): Table => ({ ...table, signing: createTestSigning() });
