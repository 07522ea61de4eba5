import { PARTITIONS } from '../../../contract/table.ts';
import { getItem, type Key, type Table, updateItem } from '../table.ts';

const HOUR = 3_600_000;
const REMEMBERED = 10_000;

const keyOf = (keyId: string): Key => ({ pk: PARTITIONS.apiKeyUse + keyId, sk: 'USE' });

/** Time of a key's last use, exact to the hour, as ISO text. Errors: `unavailable`. */
export const lastUseOf = async (table: Table, keyId: string): Promise<string | undefined> => {
  const item = await getItem(table, keyOf(keyId));
  return item?.lastUsedAt as string | undefined;
};

export interface ApiKeyUses {
  /** Notes that a key was used: one write for each hour of the clock, whoever notes it. Errors: `unavailable`. */
  readonly note: (keyId: string, at: Date) => Promise<void>;
}

/**
 * Notes last uses in a row of its own, so that no function that serves requests may write key records. What was noted
 * in the same hour is remembered in memory and costs nothing.
 */
export const createApiKeyUses = (table: Table): ApiKeyUses => {
  const noted = new Map<string, number>();
  return {
    note: async (keyId, at) => {
      // Hours of the clock, not since the last attempt: whoever lost to another container's write must not wait on from there.
      const hour = Math.floor(at.getTime() / HOUR);
      if (noted.get(keyId) === hour) return;
      await updateItem(table, {
        Key: keyOf(keyId),
        UpdateExpression: 'SET lastUsedAt = :at',
        ConditionExpression: 'attribute_not_exists(pk) OR lastUsedAt < :hour',
        ExpressionAttributeValues: {
          ':at': at.toISOString(),
          ':hour': new Date(hour * HOUR).toISOString(),
        },
      });
      if (noted.size >= REMEMBERED) noted.clear();
      noted.set(keyId, hour);
    },
  };
};
