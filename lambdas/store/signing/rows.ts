import { IntegrityError } from '../../core/errors.ts';
import { type Field, rowMessage } from '../../core/signing.ts';
import { getItem, type Item, type Key, keyText, type Table } from '../table.ts';

export const SIGNATURE = 'signature';

/** How the value of a field is stored and signed. */
export interface Codec<Value> {
  read(stored: unknown): Value;
  write(value: Value): unknown;
  signed(value: Value): Field;
}

export type Fields = Readonly<Record<string, Codec<unknown>>>;

type ValueOf<Each> = Each extends Codec<infer Value> ? Value : never;

const same = <Value extends Field>(): Codec<Value> => ({
  read: (stored) => stored as Value,
  write: (value) => value,
  signed: (value) => value,
});

export const text = same<string>();
export const word = <Value extends string>(): Codec<Value> => same<Value>();
export const number = same<number>();
export const bytes = same<Uint8Array>();
export const list = <Value extends string = string>(): Codec<readonly Value[]> => same<readonly Value[]>();

/** Any JSON, stored and signed as text: a map would not preserve `1e300`, `__proto__` and deep nesting. */
export const json = <Value>(): Codec<Value> => ({
  read: (stored) => JSON.parse(String(stored)) as Value,
  write: (value) => JSON.stringify(value),
  signed: (value) => JSON.stringify(value),
});

type Texts<Name extends string> = { readonly [Each in Name]: string };

/** A list of objects with these texts, in this order: DynamoDB returns the attributes of a map in any order. */
export const records = <Name extends string>(...names: readonly Name[]): Codec<readonly Texts<Name>[]> => ({
  read: (stored) =>
    (stored as readonly Texts<Name>[]).map(
      (each) => Object.fromEntries(names.map((name) => [name, each[name]])) as Texts<Name>,
    ),
  write: (value) => value,
  signed: (value) => value.map((each) => names.map((name) => each[name])),
});

/** What rows with these fields contain. */
export type EntityOf<Required extends Fields, Optional extends Fields> = {
  readonly [Name in keyof Required]: ValueOf<Required[Name]>;
} & { readonly [Name in keyof Optional]?: ValueOf<Optional[Name]> | undefined };

/** What says how the rows of a kind are found, signed and written. */
interface Definition<Entity> {
  /** The kind in the signed message. */
  readonly domain: string;
  readonly keyOf: (entity: Entity) => Key;
  /** The key of the row, if it differs from the signed key. @default - keyOf */
  readonly storedAt?: (entity: Entity) => Key;
  /** Increases with every change of the row. */
  readonly revisionOf: (entity: Entity) => number;
  /** Whether a row needs no signature because it only denies something. @default - every row needs one */
  readonly isUnsigned?: (item: Item) => boolean;
  /** Further attributes that are written, but neither read nor signed. @default - none */
  readonly derived?: (entity: Entity) => Item;
  /** Whether entities contain the signature of their row, so that it can be copied. @default false */
  readonly withSignature?: boolean;
}

/** A kind of signed row: how its rows are found, read, verified and written. */
export interface SignedKind<Entity> extends Definition<Entity> {
  /** Every attribute of a row that readers get. */
  readonly stored: Fields;
  /** What is signed of a row, in a fixed order. */
  readonly fieldsOf: (entity: Entity) => readonly Field[];
  /** Reads the signed attributes, and no others. */
  readonly fromItem: (item: Item) => Entity;
}

/** What the rows of a kind contain. */
export type RowOf<Kind> = Kind extends SignedKind<infer Entity> ? Entity : never;

/** The fields that some values have. */
export const present = (fields: Fields, values: Item): [string, Codec<unknown>][] =>
  Object.entries(fields).filter(([name]) => values[name] !== undefined);

/**
 * Defines a kind of signed row by its fields: what it contains, how it is read and written, and what is signed all
 * follow from them. Every row has the `fields`; they are signed in this order, which never changes. Of the `optional`
 * ones, those that a row has are signed as one object, sorted by name: adding one changes no other row.
 */
export const signedKind = <const Required extends Fields, const Optional extends Fields>({
  fields,
  optional,
  ...definition
}: Definition<EntityOf<Required, Optional>> & {
  readonly fields: Required;
  readonly optional: Optional;
}): SignedKind<EntityOf<Required, Optional>> => {
  const stored: Fields = { ...fields, ...optional, ...(definition.withSignature && { [SIGNATURE]: bytes }) };
  return {
    ...definition,
    stored,
    fieldsOf: (entity: Item) => {
      const further = present(optional, entity).sort(([a], [b]) => (a < b ? -1 : 1));
      return [
        ...Object.entries(fields).map(([name, codec]) => codec.signed(entity[name])),
        ...(further.length === 0
          ? []
          : [Object.fromEntries(further.map(([name, codec]) => [name, codec.signed(entity[name])]))]),
      ];
    },
    fromItem: (item) =>
      Object.fromEntries(
        present(stored, item).map(([name, codec]) => [name, codec.read(item[name])]),
      ) as EntityOf<Required, Optional>,
  };
};

/** What verifies rows: the public keys, and the stage that rows must belong to. */
export type Verifier = Pick<Table, 'signing'> & { readonly settings: Pick<Table['settings'], 'stage'> };

/** The message that is signed for a row. */
export const messageOf = <Entity>(table: Verifier, kind: SignedKind<Entity>, entity: Entity): Buffer =>
  rowMessage(
    {
      domain: kind.domain,
      stage: table.settings.stage,
      ...kind.keyOf(entity),
      revision: kind.revisionOf(entity),
    },
    kind.fieldsOf(entity),
  );

const isSigned = <Entity>(table: Verifier, kind: SignedKind<Entity>, item: Item, entity: Entity) =>
  kind.isUnsigned?.(item) === true || table.signing.isSigned(messageOf(table, kind, entity), item[SIGNATURE]);

/** The content of a row, if its signature is valid for it and its key. */
export const verifiedRow = <Entity>(
  table: Verifier,
  kind: SignedKind<Entity>,
  key: Key,
  item: Item,
): Entity => {
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

/** The content of a row that was just read, verified; undefined if there is none. */
export const verifiedIfFound = <Entity>(
  table: Verifier,
  kind: SignedKind<Entity>,
  key: Key,
  item: Item | undefined,
): Entity | undefined => (item === undefined ? undefined : verifiedRow(table, kind, key, item));

/** Reads a row, strongly consistent, and verifies it. */
export const getRow = async <Entity>(table: Table, kind: SignedKind<Entity>, key: Key) =>
  verifiedIfFound(table, kind, key, await getItem(table, key));

/**
 * Reads a row, strongly consistent, and verifies it. In functions that applications call, a throttled read may return a
 * row that the container has read itself at most a second ago.
 */
export const readRow = async <Entity>(
  table: Table,
  kind: SignedKind<Entity>,
  key: Key,
): Promise<Entity | undefined> => {
  const { hot } = table;
  if (hot === undefined) return getRow(table, kind, key);
  return hot.readThroughThrottling(keyText(key), async () =>
    verifiedIfFound(table, kind, key, await hot.read(key)),
  );
};

/** The same for the one row of its kind, which is created with the table: without it, somebody has changed the table. */
export const readSingleton = async <Entity>(
  table: Table,
  kind: SignedKind<Entity>,
  key: Key,
): Promise<Entity> => {
  const found = await readRow(table, kind, key);
  if (found === undefined) throw new IntegrityError(key, 'it is missing');
  return found;
};
