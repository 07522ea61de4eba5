import { PARTITIONS } from '../../contract/table.ts';
import { getItem, type Key, type Table, updateItem } from './table.ts';

const HOUR = 3_600_000;
const REMEMBERED = 10_000;

const keyOf = (keyId: string): Key => ({ pk: PARTITIONS.apiKeyUse + keyId, sk: 'USE' });

/** Time of a key's last use, exact to the hour, as ISO text. Errors: `unavailable`. */
export const lastUseOf = async (table: Table, keyId: string): Promise<string | undefined> => {
  const item = await getItem(table, keyOf(keyId));
  return item?.lastUsedAt as string | undefined;
};

export interface ApiKeyUses {
  /** Notes that a key was used: at most one write an hour, whoever else notes it. Errors: `unavailable`. */
  readonly note: (keyId: string, at: Date) => Promise<void>;
}

/**
 * Notes last uses in a row of its own, so that no function that serves requests may write key records. What was noted
 * within the hour is remembered in memory and costs nothing.
 */
export const createApiKeyUses = (table: Table): ApiKeyUses => {
  const noted = new Map<string, number>();
  return {
    note: async (keyId, at) => {
      if (at.getTime() - (noted.get(keyId) ?? 0) < HOUR) return;
      await updateItem(table, {
        Key: keyOf(keyId),
        UpdateExpression: 'SET lastUsedAt = :at',
        ConditionExpression: 'attribute_not_exists(pk) OR lastUsedAt < :hourAgo',
        ExpressionAttributeValues: {
          ':at': at.toISOString(),
          ':hourAgo': new Date(at.getTime() - HOUR).toISOString(),
        },
      });
      if (noted.size >= REMEMBERED) noted.clear();
      noted.set(keyId, at.getTime());
    },
  };
};
