import { createBatchedReads } from './batched-reads.ts';
import { type Key, keyText, type ReadRow, type Table } from './table.ts';

/** Gives a table the reads of a function whose definition is `batched`. */
export const withBatchedReads = (table: Table): Table => ({
  ...table,
  batched: { strongly: createBatchedReads(table), eventually: createBatchedReads(table, false) },
});

/**
 * The table of one call, which requests these rows at once: the call that reads them first gets what was read ahead.
 * Without batched reads, nothing is read ahead.
 */
export const readingAhead = (table: Table, keys: readonly Key[]): Table => {
  const { batched } = table;
  if (batched === undefined) return table;
  const ahead = new Map(keys.map((key) => [keyText(key), batched.strongly(key)]));
  // Whoever reads the row gets the failure, if anybody does.
  for (const row of ahead.values()) row.catch(() => undefined);
  const strongly: ReadRow = (key) => {
    const row = ahead.get(keyText(key));
    ahead.delete(keyText(key));
    return row ?? batched.strongly(key);
  };
  return { ...table, batched: { ...batched, strongly } };
};
