import { cancellationCodes } from '../failures.ts';
import { getItem, type Key, type Table, transact, updateItem } from '../table.ts';

/** The condition that a row exists and is not marked for purge. */
export const notMarkedForPurge = 'attribute_exists(pk) AND attribute_not_exists(purging)';

/**
 * Marks a row for purge, permanently: writes conditioned on `notMarkedForPurge` can no longer commit. Returns whether
 * the row exists. Errors: `unavailable`.
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

/** Whether a row is still marked: it may have been written again since. Errors: `unavailable`. */
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
