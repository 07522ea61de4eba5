import { PARTITIONS } from '../../../contract/table.ts';
import { inPartition, queryItems } from '../queries.ts';
import type { Table } from '../table.ts';
import { updateOrRead } from '../updates.ts';

/** What this container has recorded, by operator id. */
const recorded = new Map<string, number>();

/**
 * Records when an operator signed in, in seconds since the epoch, unless a later time is recorded: once for each
 * container. The row is not signed.
 */
export const keepSignIn = async (table: Table, operatorId: string, at: number): Promise<void> => {
  if (Number.isNaN(at) || recorded.get(operatorId) === at) return;
  await updateOrRead(table, {
    Key: { pk: PARTITIONS.signIns, sk: operatorId },
    UpdateExpression: 'SET lastAt = :at',
    ConditionExpression: 'attribute_not_exists(lastAt) OR lastAt < :at',
    ExpressionAttributeValues: { ':at': new Date(at * 1_000).toISOString() },
  });
  recorded.set(operatorId, at);
};

/** When each operator last signed in (ISO 8601 in UTC), by operator id. */
export const readSignIns = async (table: Table): Promise<ReadonlyMap<string, string>> => {
  const items = await Array.fromAsync(queryItems(table, inPartition(PARTITIONS.signIns)));
  return new Map(items.map(({ sk, lastAt }) => [String(sk), String(lastAt)]));
};
