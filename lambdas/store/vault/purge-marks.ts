import { cancellationCodes } from '../failures.ts';
import { getItem, type Key, type Table, transact, updateItem } from '../table.ts';

/** The condition that a row is there and not about to be purged. */
export const notMarkedForPurge = 'attribute_exists(pk) AND attribute_not_exists(purging)';

/**
 * Marks a row as about to be purged, for good: what is conditioned on `notMarkedForPurge` cannot commit any more. Returns
 * whether the row is there. Errors: `unavailable`.
 */
export const markForPurge = async (table: Table, key: Key): Promise<boolean> => {
  const claimed = await updateItem(table, {
    Key: key,
    UpdateExpression: 'SET purging = :yes',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':yes': true },
  });
  return claimed !== 'condition-failed';
};

/** Whether a row is still marked: it may have been written anew since. Errors: `unavailable`. */
export const isMarkedForPurge = async (table: Table, key: Key): Promise<boolean> =>
  (await getItem(table, key))?.purging === true;

/** Removes a row that is still marked. Errors: `unavailable`. */
export const removeMarked = async (table: Table, key: Key): Promise<void> => {
  try {
    await transact(table, [{ remove: { Key: key, ConditionExpression: 'attribute_exists(purging)' } }]);
  } catch (error) {
    if (cancellationCodes(error) === undefined) throw error;
  }
};
