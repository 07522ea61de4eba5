import type { CuevaultError } from '../../core/errors.ts';
import type { Item, Table } from '../table.ts';
import { ConflictError, onlyIf, type Subject, type Write } from '../transactions.ts';
import { messageOf, present, SIGNATURE, type SignedKind } from './rows.ts';

/** The attributes of a row without its signature, unless it is a copy of a signed one. */
export const toItem = <Entity>(kind: SignedKind<Entity>, entity: Entity): Item => {
  const values = entity as Item;
  const attributes = present(kind.stored, values).map(([name, codec]) => [name, codec.write(values[name])]);
  return { ...kind.keyOf(entity), ...kind.derived?.(entity), ...Object.fromEntries(attributes) };
};

/** The signed item of a row. */
export const signedItem = async <Entity>(
  table: Table,
  kind: SignedKind<Entity>,
  entity: Entity,
): Promise<Item> => ({
  ...toItem(kind, entity),
  [SIGNATURE]: await table.signing.sign(messageOf(table, kind, entity)),
});

/**
 * Signs a row and writes it, if the one that it replaces is still as it was seen.
 * @param failure what the write throws otherwise, or what somebody else has changed then
 */
export const putSigned = async <Entity>(
  table: Table,
  kind: SignedKind<Entity>,
  entity: Entity,
  seen?: Readonly<Record<string, number>>,
  failure: Subject | (() => CuevaultError) = 'row',
): Promise<Write> => ({
  put: { Item: await signedItem(table, kind, entity), ...onlyIf(seen) },
  onConditionFailed: () => (typeof failure === 'string' ? new ConflictError(failure) : failure()),
});
