import { PARTITIONS } from '../../../contract/table.ts';
import { restorableSince } from '../../core/restoring.ts';
import { queryPage } from '../pages.ts';
import { inPartition, queryItems, unsignedKind } from '../queries.ts';
import type { Key, Table } from '../table.ts';
import type { Write } from '../transactions.ts';
import { deleteItem } from '../updates.ts';

/** A deleted prompt whose rows still exist. Times are ISO 8601 in UTC. */
export interface Deletion {
  readonly promptId: string;
  readonly name: string;
  readonly deletedAt: string;
  /** When the name was used again: from then on, the prompt cannot be restored. */
  readonly recreatedAt?: string;
}

const key = ({ deletedAt, promptId }: Pick<Deletion, 'deletedAt' | 'promptId'>): Key => ({
  pk: PARTITIONS.promptPurge,
  sk: `${deletedAt}#${promptId}`,
});

const { fromItem } = unsignedKind<Deletion>();

/** Records a deletion, in its transaction; `recreatedAt` records that the name is in use again. */
export const putDeletion = (deletion: Deletion): Write => ({
  put: { Item: { ...key(deletion), ...deletion } },
});

/** Removes a deletion from the list, in the transaction that restores the prompt. */
export const removeDeletion = (deletion: Pick<Deletion, 'deletedAt' | 'promptId'>): Write => ({
  remove: { Key: key(deletion) },
});

/** Removes a deletion from the list once its rows are gone. */
export const forgetDeletion = (table: Table, deletion: Deletion): Promise<void> =>
  deleteItem(table, key(deletion));

/**
 * One page of the deleted prompts that can be restored at `now`, latest deletion first. A page can have fewer than
 * `limit` entries before the last page.
 */
export const listDeleted = async (table: Table, now: Date, limit: number, cursor?: string) => {
  const query = {
    ...inPartition(PARTITIONS.promptPurge, 'sk >= :cutoff', { ':cutoff': restorableSince(now) }),
    FilterExpression: 'attribute_not_exists(recreatedAt)',
    ScanIndexForward: false,
  };
  const { items, ...rest } = await queryPage(table, query, limit, cursor);
  return { ...rest, items: items.map(fromItem) };
};

/** Every deletion that can no longer be undone at `now`, earliest first. */
export async function* dueDeletions(table: Table, now: Date): AsyncGenerator<Deletion> {
  const due = inPartition(PARTITIONS.promptPurge, 'sk < :cutoff', { ':cutoff': restorableSince(now) });
  for await (const item of queryItems(table, due)) yield fromItem(item);
}
