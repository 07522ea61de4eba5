import { PARTITIONS } from '../../../contract/table.ts';
import { getItem, type Key, type Table } from '../table.ts';
import { updateOrRead } from '../updates.ts';

const keyOf = (keyId: string): Key => ({ pk: PARTITIONS.apiKeyUse + keyId, sk: 'USE' });

/** Time of the last successful call with a key, as ISO text. Errors: `unavailable`. */
export const lastUseOf = async (table: Table, keyId: string): Promise<string | undefined> => {
  const item = await getItem(table, keyOf(keyId));
  return item?.lastUsedAt as string | undefined;
};

/** Records the time of a successful call (ISO 8601 in UTC), unless a later one is recorded. Errors: `unavailable`. */
export const keepLastUse = async (table: Table, keyId: string, at: string): Promise<void> => {
  await updateOrRead(table, {
    Key: keyOf(keyId),
    UpdateExpression: 'SET lastUsedAt = :at',
    ConditionExpression: 'attribute_not_exists(lastUsedAt) OR lastUsedAt < :at',
    ExpressionAttributeValues: { ':at': at },
  });
};
