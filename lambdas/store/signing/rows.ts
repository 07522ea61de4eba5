import { IntegrityError } from '../../core/errors.ts';
import { type Field, rowMessage } from '../../core/signing.ts';
import { getItem, type Item, type Key, type Table } from '../table.ts';
import { readThroughThrottling } from '../throttled-reads.ts';

/** How the rows of one kind are stored and signed. */
export interface RowKind<Entity> {
  /** The kind in the signed message. */
  readonly domain: string;
  readonly keyOf: (entity: Entity) => Key;
  /** The key of the row, if it differs from the signed key. @default - keyOf */
  readonly storedAt?: (entity: Entity) => Key;
  /** Increases with every change of the row. */
  readonly revisionOf: (entity: Entity) => number;
  /** All fields that readers return, in a fixed order. */
  readonly fieldsOf: (entity: Entity) => readonly Field[];
  /** The attributes of the row without its signature. */
  readonly toItem: (entity: Entity) => Item;
  /** Reads the signed attributes, and no others. */
  readonly fromItem: (item: Item) => Entity;
  /** Whether a row needs no signature because it only denies something. @default - every row needs one */
  readonly isUnsigned?: (item: Item) => boolean;
}

/** The attribute with a row's signature. */
export const SIGNATURE = 'signature';

/** What verifies rows: the public keys, and the stage that rows must belong to. */
export type Verifier = Pick<Table, 'signing'> & { readonly settings: Pick<Table['settings'], 'stage'> };

const messageOf = <Entity>(table: Verifier, kind: RowKind<Entity>, entity: Entity): Buffer =>
  rowMessage(
    {
      domain: kind.domain,
      stage: table.settings.stage,
      ...kind.keyOf(entity),
      revision: kind.revisionOf(entity),
    },
    kind.fieldsOf(entity),
  );

/** The signed item of a row. Errors: `unavailable`. */
export const signedItem = async <Entity>(
  table: Table,
  kind: RowKind<Entity>,
  entity: Entity,
): Promise<Item> => ({
  ...kind.toItem(entity),
  [SIGNATURE]: await table.signing.sign(messageOf(table, kind, entity)),
});

const isSigned = <Entity>(table: Verifier, kind: RowKind<Entity>, item: Item, entity: Entity): boolean =>
  kind.isUnsigned?.(item) === true || table.signing.isSigned(messageOf(table, kind, entity), item[SIGNATURE]);

/** The content of a row, if its signature is valid for it and its key. Errors: `integrity`. */
export const verifiedRow = <Entity>(table: Verifier, kind: RowKind<Entity>, key: Key, item: Item): Entity => {
  let entity: Entity;
  let fits: boolean;
  try {
    entity = kind.fromItem(item);
    const { pk, sk } = (kind.storedAt ?? kind.keyOf)(entity);
    fits = pk === key.pk && sk === key.sk && isSigned(table, kind, item, entity);
  } catch (cause) {
    throw new IntegrityError(key, 'its content cannot be read', { cause });
  }
  if (!fits) throw new IntegrityError(key, 'its signature does not match');
  return entity;
};

const rowId = ({ name }: Table, { pk, sk }: Key): string => `${name}/${pk}/${sk}`;

const revisionIn = <Entity>({ revisionOf }: RowKind<Entity>, entity: Entity | undefined): number =>
  entity === undefined ? 0 : revisionOf(entity);

const read = (table: Table, key: Key): Promise<Item | undefined> =>
  table.hot === undefined ? getItem(table, key) : table.hot.read(key);

/**
 * Verifies a row that was just read, strongly consistent, and rejects one that is older than the last that this
 * container has seen. An older row is read once more, because a slow read can finish after a faster one. Returns
 * undefined if there is no row. Errors: `integrity`, `unavailable`.
 */
export const acceptRow = async <Entity>(
  table: Table,
  kind: RowKind<Entity>,
  key: Key,
  item: Item | undefined,
): Promise<Entity | undefined> => {
  const verified = (row: Item | undefined) =>
    row === undefined ? undefined : verifiedRow(table, kind, key, row);
  const id = rowId(table, key);
  const seen = () => table.signing.seen.get(id) ?? 0;
  let entity = verified(item);
  // Concurrent reads may raise it while the row is read once more. Only what was seen before that read counts.
  const required = seen();
  if (revisionIn(kind, entity) < required) entity = verified(await read(table, key));
  const revision = revisionIn(kind, entity);
  if (revision < required) throw new IntegrityError(key, 'an older revision has taken its place');
  if (revision > seen()) table.signing.seen.set(id, revision);
  return entity;
};

/**
 * Reads a row, strongly consistent, and verifies it. In functions that applications call, a throttled read may return a
 * row that the container has read itself at most a second ago. Errors: as `acceptRow`.
 */
export const readRow = async <Entity>(
  table: Table,
  kind: RowKind<Entity>,
  key: Key,
): Promise<Entity | undefined> => {
  const accepted = async () => acceptRow(table, kind, key, await read(table, key));
  return table.hot === undefined
    ? accepted()
    : readThroughThrottling(table.hot.recent, rowId(table, key), accepted);
};
