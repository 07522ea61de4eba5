import type { CuevaultError } from '../../core/errors.ts';
import type { Item, Table } from '../table.ts';
import { ConflictError, onlyIf, type Write } from '../transactions.ts';
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
 * Signs a row and writes it, if the one that it replaces is still as it was seen. Errors of the write: by default
 * `ConflictError`.
 */
export const putSigned = async <Entity>(
  table: Table,
  kind: SignedKind<Entity>,
  entity: Entity,
  seen?: Readonly<Record<string, number>>,
  onConditionFailed: () => CuevaultError = () => new ConflictError('vault'),
): Promise<Write> => ({
  put: { Item: await signedItem(table, kind, entity), ...onlyIf(seen) },
  onConditionFailed,
});
