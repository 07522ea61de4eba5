import { PARTITIONS } from '../../contract/table.ts';
import { getItem, type Item, type Key, type Table } from './table.ts';
import { onlyIf, type Write } from './transactions.ts';

/**
 * The formats of stored rows that this release knows, numbered from 1; data of any other is rejected and left unchanged.
 * A new format takes two releases: the first can read it, the second writes it and brings the migration to it. Going back
 * by one release is then possible.
 */
export const FORMATS = {
  /** The oldest one that it can read. */
  oldest: 1,
  written: 1,
  /** The newest one that it can read. */
  newest: 1,
};

/** The row. It is not signed: every row is verified, whatever it says. */
const KEY: Key = { pk: PARTITIONS.format, sk: 'FORMAT' };

/** Records the format of a new table, in a transaction that fails if one is recorded. */
export const noteFormat = (): Write => ({
  put: { Item: { ...KEY, version: FORMATS.written }, ...onlyIf() },
});

// Every row has the format `version` or a later one, up to `newest`, which a later release records.
const problemOf = (stored: Item, formats: typeof FORMATS) => {
  const version = Number(stored.version);
  const newest = Number(stored.newest ?? stored.version);
  if (!(newest <= formats.newest))
    return `The table has rows of format ${newest}; this release of Cuevault reads formats up to ${formats.newest}. Use the release that wrote them, or a later one. The table was not changed.`;
  if (!(version >= formats.oldest))
    return `The table has rows of format ${version}; this release of Cuevault reads formats from ${formats.oldest} on. Use an earlier release first, until it has migrated the table. The table was not changed.`;
  return undefined;
};

/**
 * Why a release that reads these formats cannot use the table, in sentences that say what to do. Undefined if it can,
 * or if the table has no vault yet.
 */
export const formatProblem = async (table: Table, formats = FORMATS): Promise<string | undefined> => {
  const stored = await getItem(table, KEY);
  return stored && problemOf(stored, formats);
};

/** Throws if this release cannot use the table, or if the table has no vault. */
export const requireFormat = async (table: Table): Promise<void> => {
  const stored = await getItem(table, KEY);
  if (stored === undefined)
    throw new Error('The table has no format version: no vault was created in it, or the row is missing.');
  const problem = problemOf(stored, FORMATS);
  if (problem !== undefined) throw new Error(problem);
};
