import { INDEX_PARTITIONS, PARTITIONS, TABLE } from '../../../contract/table.ts';
import { inIndex, queryItems } from '../queries.ts';
import type { Table } from '../table.ts';
import { updateOrRead } from '../updates.ts';

/** The time of the last successful call with each key that was ever used (ISO 8601 in UTC), by key id. */
export type LastUses = ReadonlyMap<string, string>;

/** Reads the last uses of all keys; one can take a moment to appear. Errors: `unavailable`. */
export const readLastUses = async (table: Table): Promise<LastUses> => {
  const items = await Array.fromAsync(queryItems(table, inIndex('apiKeyUses')));
  return new Map(items.map((item) => [String(item[TABLE.index.sortKey]), String(item.lastAt)]));
};

/** Records the time of a successful call (ISO 8601 in UTC), unless a later one is recorded. Errors: `unavailable`. */
export const keepLastUse = async (table: Table, keyId: string, at: string): Promise<void> => {
  const { partitionKey, sortKey } = TABLE.index;
  await updateOrRead(table, {
    Key: { pk: PARTITIONS.apiKeyUse + keyId, sk: 'USE' },
    UpdateExpression: `SET lastAt = :at, ${partitionKey} = :list, ${sortKey} = :id`,
    ConditionExpression: 'attribute_not_exists(lastAt) OR lastAt < :at',
    ExpressionAttributeValues: { ':at': at, ':list': INDEX_PARTITIONS.apiKeyUses, ':id': keyId },
  });
};
