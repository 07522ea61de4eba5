import { PARTITIONS } from '../../../contract/table.ts';
import { expiresAfter } from '../../core/days.ts';
import { CuevaultError } from '../../core/errors.ts';
import type { Table } from '../table.ts';
import { updateOrRead } from '../updates.ts';

/** The beginnings of a time that name its day or its minute, in UTC. */
const LENGTHS = { day: 'YYYY-MM-DD'.length, minute: 'YYYY-MM-DDTHH:MM'.length };

interface Bound {
  readonly period: keyof typeof LENGTHS;
  readonly most: number;
  /** Why the next call is refused. */
  readonly sentence: string;
}

/** Counts a call of an operator. Errors: `rate_limited` if there were as many in this period as may be. */
export const countCall = async (
  table: Table,
  operatorId: string,
  at: Date,
  { period, most, sentence }: Bound,
): Promise<void> => {
  const refusedBy = await updateOrRead(table, {
    Key: { pk: PARTITIONS.questions + operatorId, sk: at.toISOString().slice(0, LENGTHS[period]) },
    UpdateExpression: 'ADD #count :one SET #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
    ExpressionAttributeNames: { '#count': 'count', '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':one': 1, ':most': most, ':ttl': expiresAfter(at, 2) },
  });
  if (refusedBy !== undefined) throw new CuevaultError('rate_limited', sentence);
};
