import { FORMAT, PARTITIONS } from '../../contract/table.ts';
import { ConflictError } from '../core/errors.ts';
import { getItem, type Key, type Table, type Write } from './table.ts';

const KEY: Key = { pk: PARTITIONS.format, sk: 'FORMAT' };

/** Records the format of a new table, in a transaction that fails if one is recorded. */
export const noteFormat = (): Write => ({
  put: { Item: { ...KEY, version: FORMAT }, ConditionExpression: 'attribute_not_exists(pk)' },
  onConditionFailed: () => new ConflictError('vault'),
});

/** Throws for a table with another format, or without a format: no vault was created in it. Errors: `unavailable`. */
export const requireFormat = async (table: Table): Promise<void> => {
  const version = (await getItem(table, KEY))?.version;
  if (version === FORMAT) return;
  throw new Error(
    version === undefined
      ? 'The table holds no format version: no vault was created in it, or the row is gone.'
      : `The table has the format ${String(version)}; this version of Cuevault reads and writes ${FORMAT}. It is left as it is.`,
  );
};
