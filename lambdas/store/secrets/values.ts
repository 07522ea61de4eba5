import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { inParallel } from '../../core/parallel.ts';
import type { SealedValue, SecretEntry } from '../../core/vault/secrets.ts';
import { deleteItem, getItem, type Item, type Key, queryItems, type Table, updateItem } from '../table.ts';

/** A value that another one replaced, at `replacedAt` (ISO 8601 in UTC). */
export interface EarlierValue extends SealedValue {
  readonly replacedAt: string;
}

const keyOf = (secretId: string, number: number): Key => ({
  pk: PARTITIONS.secret + secretId,
  sk: `VALUE#${String(number).padStart(9, '0')}`,
});

const fromItem = (item: Item): EarlierValue => ({
  number: item.number as number,
  keyVersion: item.keyVersion as number,
  box: item.box as Uint8Array,
  bytes: item.bytes as number,
  changedAt: item.changedAt as string,
  changedBy: item.changedBy as string,
  replacedAt: item.replacedAt as string,
});

/**
 * Keeps the current value of a secret that is about to be replaced. Where it is kept already, sealed to a newer key
 * pair, that stays, and is now the one replaced last. Errors: `unavailable`.
 */
export const keepValue = async (table: Table, entry: SecretEntry, replacedAt: Date): Promise<void> => {
  const key = keyOf(entry.secretId, entry.number);
  const kept = await updateItem(table, {
    Key: key,
    UpdateExpression:
      'SET #number = :number, keyVersion = :version, box = :box, #bytes = :bytes, changedAt = :at, changedBy = :by, replacedAt = :replaced',
    ConditionExpression: 'attribute_not_exists(pk) OR keyVersion <= :version',
    ExpressionAttributeNames: { '#number': 'number', '#bytes': 'bytes' },
    ExpressionAttributeValues: {
      ':number': entry.number,
      ':version': entry.keyVersion,
      ':box': entry.box,
      ':bytes': entry.bytes,
      ':at': entry.changedAt,
      ':by': entry.changedBy,
      ':replaced': replacedAt.toISOString(),
    },
  });
  if (kept !== 'condition-failed') return;
  await updateItem(table, {
    Key: key,
    UpdateExpression: 'SET replacedAt = :replaced',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':replaced': replacedAt.toISOString() },
  });
};

/** Puts a newly sealed box in the place of an older one. Does nothing where that has gone. Errors: `unavailable`. */
export const resealValue = async (
  table: Table,
  secretId: string,
  old: SealedValue,
  fresh: Pick<SealedValue, 'box' | 'keyVersion'>,
): Promise<void> => {
  await updateItem(table, {
    Key: keyOf(secretId, old.number),
    UpdateExpression: 'SET box = :box, keyVersion = :fresh',
    ConditionExpression: 'keyVersion = :old',
    ExpressionAttributeValues: { ':box': fresh.box, ':fresh': fresh.keyVersion, ':old': old.keyVersion },
  });
};

/** One kept value of a secret. Errors: `unavailable`. */
export const findValue = async (
  table: Table,
  secretId: string,
  number: number,
): Promise<EarlierValue | undefined> => {
  const item = await getItem(table, keyOf(secretId, number));
  return item === undefined ? undefined : fromItem(item);
};

/** Everything kept of a secret, the value replaced last first; may hold the current value too. Errors: `unavailable`. */
export const keptValues = async (table: Table, secretId: string): Promise<EarlierValue[]> => {
  const query = {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': PARTITIONS.secret + secretId },
  };
  const values = (await Array.fromAsync(queryItems(table, query))).map(fromItem);
  return values.sort((a, b) =>
    a.replacedAt === b.replacedAt ? b.number - a.number : a.replacedAt < b.replacedAt ? 1 : -1,
  );
};

/** The values before the current one that a secret can be rolled back to, the one replaced last first. */
export const earlierValues = async (
  table: Table,
  { secretId, number: current }: Pick<SecretEntry, 'secretId' | 'number'>,
): Promise<EarlierValue[]> =>
  (await keptValues(table, secretId))
    .filter(({ number }) => number !== current)
    .slice(0, LIMITS.earlierValues);

/** Removes what is kept beyond the last ten values before the current one. Errors: `unavailable`. */
export const trimValues = async (
  table: Table,
  { secretId, number: current }: Pick<SecretEntry, 'secretId' | 'number'>,
): Promise<void> => {
  const earlier = (await keptValues(table, secretId)).filter(({ number }) => number !== current);
  await inParallel(earlier.slice(LIMITS.earlierValues), ({ number }) =>
    deleteItem(table, keyOf(secretId, number)),
  );
};

/** Removes all that is kept of a secret. Errors: `unavailable`. */
export const removeValues = async (table: Table, secretId: string): Promise<void> => {
  await inParallel(await keptValues(table, secretId), ({ number }) =>
    deleteItem(table, keyOf(secretId, number)),
  );
};
