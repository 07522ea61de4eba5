import type { Position } from '../../../contract/backup.ts';
import { TABLE } from '../../../contract/table.ts';
import { inBatches } from '../../core/batches.ts';
import { API_KEY } from '../api-keys/api-key-row.ts';
import { readProtection } from '../prompts/protection.ts';
import { keyOfItem } from '../queries.ts';
import { acceptRow } from '../signing/rows.ts';
import { getItem, type Item, type Table } from '../table.ts';
import { backupItem, indexRowsAfter, orUnverified, type Step } from './records.ts';

const stepOf = async (table: Table, row: Item): Promise<Step[]> => {
  const key = keyOfItem(row);
  const after: Position = { section: 'api-keys', after: String(row[TABLE.index.sortKey]) };
  const item = await getItem(table, key);
  if (item === undefined) return [];
  const read = await orUnverified(key, () => acceptRow(table, API_KEY, key, item));
  if ('refused' in read) return [{ record: read.refused, after }];
  if (read.found === undefined) return [];
  const { keyId, name } = read.found;
  return [{ record: { type: 'api-key', keyId, name, item: backupItem(item) }, after }];
};

/**
 * The protected labels, then the records of API keys, including revoked ones, oldest first. Errors: `integrity`,
 * `unavailable`.
 */
export async function* apiKeySteps(table: Table, { after }: Position): AsyncGenerator<Step> {
  if (after === undefined) {
    const { labels } = await readProtection(table);
    yield { record: { type: 'protected-labels', labels }, after: { section: 'api-keys' } };
  }
  const rows = indexRowsAfter(table, 'apiKeys', after);
  for await (const steps of inBatches(rows, (row) => stepOf(table, row))) yield* steps;
}
