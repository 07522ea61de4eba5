import { PARTITIONS } from '../../../contract/table.ts';
import { randomBase62 } from '../../core/identifiers.ts';
import { inParallel } from '../../core/parallel.ts';
import { keyOfItem, rowsFrom } from '../queries.ts';
import { type Key, putItem } from '../table.ts';
import { ConflictError, type Write } from '../transactions.ts';
import { deleteItem } from '../updates.ts';
import { deletePage } from './page-writes.ts';
import type { Vault } from './vault.ts';

const WRITING = 'WRITING#';

/**
 * A writer's record of the pages that it is about to write. The transaction that replaces the head removes it: while it
 * exists, none of these pages belongs to the vault.
 */
export interface PendingWrite {
  readonly key: Key;
  readonly pages: readonly string[];
  readonly at: string;
}

/** Records which pages are about to be written. Returns what the transaction that adds them to the vault contains. */
export const beginWrite = async (vault: Vault, at: Date, pages: readonly string[]): Promise<Write[]> => {
  if (pages.length === 0) return [];
  const key = { pk: PARTITIONS.vault + vault.environment, sk: WRITING + randomBase62(22) };
  await putItem(vault, { ...key, pages, at: at.toISOString() });
  const onConditionFailed = () => new ConflictError('vault');
  return [{ remove: { Key: key, ConditionExpression: 'attribute_exists(pk)' }, onConditionFailed }];
};

/** Removes the pages of a writer that has crashed, then its record. */
export const removeAborted = async (vault: Vault, { key, pages }: PendingWrite): Promise<void> => {
  await inParallel(pages, (id) => deletePage(vault, id));
  await deleteItem(vault, key);
};

/** The records of all writers that are running or have crashed. */
export async function* listPendingWrites(vault: Vault): AsyncGenerator<PendingWrite> {
  for await (const item of rowsFrom(vault, PARTITIONS.vault + vault.environment, WRITING))
    yield { key: keyOfItem(item), pages: item.pages as string[], at: item.at as string };
}
