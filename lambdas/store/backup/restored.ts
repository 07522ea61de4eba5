import type { Restored } from '../../../contract/shapes/backup.ts';
import { type CuevaultError, ifGenuine, invalidRequest } from '../../core/errors.ts';
import { type SignedKind, verifiedIfFound } from '../signing/rows.ts';
import { getItem, type Key, type Table } from '../table.ts';
import { onlyIf } from '../transactions.ts';

/** What happened to a row: it was written, it exists already, or something else exists in its place. */
export type Outcome =
  | 'written'
  | 'unchanged'
  | { readonly kind: string; readonly id: string; readonly name: string };

/** The error for a backup whose values cannot be read here. */
export const needsRecipient = (why: string): CuevaultError =>
  invalidRequest(
    `${why} Make a backup with --recipient and the file that "npm run --silent vault-key" prints here.`,
  );

export const summarize = (outcomes: readonly Outcome[]): Restored => ({
  written: outcomes.filter((each) => each === 'written').length,
  unchanged: outcomes.filter((each) => each === 'unchanged').length,
  kept: outcomes.flatMap((each) => (typeof each === 'object' ? [each] : [])),
});

/** Whether two rows have the same signed fields. */
export const isSameRow = <Entity>(
  { fieldsOf }: { readonly fieldsOf: (entity: Entity) => readonly unknown[] },
  one: Entity,
  other: Entity,
): boolean => JSON.stringify(fieldsOf(one)) === JSON.stringify(fieldsOf(other));

/** The place of a signed row. */
export interface RowPlace<Entity> {
  readonly found: Entity | undefined;
  readonly condition: { readonly ConditionExpression: string };
}

/**
 * What is at the place of a signed row, and the condition under which one may be written there if nothing is. A row
 * that does not verify counts as absent, and is replaced.
 */
export const placeOf = async <Entity>(
  table: Table,
  kind: SignedKind<Entity>,
  key: Key,
): Promise<RowPlace<Entity>> => {
  const item = await getItem(table, key);
  const found = await ifGenuine(async () => verifiedIfFound(table, kind, key, item));
  return {
    found,
    condition: item === undefined ? onlyIf() : { ConditionExpression: 'attribute_exists(pk)' },
  };
};
