import type { Partition } from '../../../contract/table.ts';
import type { Field } from '../../core/signing.ts';
import type { Item } from '../table.ts';
import { type RowKind, SIGNATURE } from './rows.ts';

/** How the value of a field is stored and signed. */
export interface Codec<Value> {
  read(stored: unknown): Value;
  write(value: Value): unknown;
  signed(value: Value): Field;
}

/** Fields by name. */
export type Fields = Readonly<Record<string, Codec<unknown>>>;

type ValueOf<Each> = Each extends Codec<infer Value> ? Value : never;

/** What rows with these fields contain. */
export type EntityOf<Required extends Fields, Optional extends Fields> = {
  readonly [Name in keyof Required]: ValueOf<Required[Name]>;
} & { readonly [Name in keyof Optional]?: ValueOf<Optional[Name]> | undefined };

/** What the rows of a kind contain. */
export type RowOf<Kind> = Kind extends RowKind<infer Entity> ? Entity : never;

const same = <Value extends Field>(): Codec<Value> => ({
  read: (stored) => stored as Value,
  write: (value) => value,
  signed: (value) => value,
});

export const text = same<string>();
export const oneOf = <Value extends string>(): Codec<Value> => same<Value>();
export const number = same<number>();
export const bytes = same<Uint8Array>();
export const list = <Value extends string = string>(): Codec<readonly Value[]> => same<readonly Value[]>();

/** Any JSON, stored and signed as text: a map would not preserve `1e300`, `__proto__` and deep nesting. */
export const json = <Value>(): Codec<Value> => ({
  read: (stored) => JSON.parse(String(stored)) as Value,
  write: (value) => JSON.stringify(value),
  signed: (value) => JSON.stringify(value),
});

/** A list of objects with these texts, in this order: DynamoDB returns the attributes of a map in any order. */
export const records = <Name extends string>(
  ...names: readonly Name[]
): Codec<readonly { readonly [Each in Name]: string }[]> => ({
  read: (stored) =>
    (stored as readonly { readonly [Each in Name]: string }[]).map(
      (each) =>
        Object.fromEntries(names.map((name) => [name, each[name]])) as { readonly [Each in Name]: string },
    ),
  write: (value) => value,
  signed: (value) => value.map((each) => names.map((name) => each[name])),
});

/** A kind of signed row, and where its rows are. */
export interface SignedKind<Entity> extends RowKind<Entity> {
  readonly partition: Partition;
  /** The sort key of its rows, or its beginning. */
  readonly sk: string;
}

interface Definition<Required extends Fields, Optional extends Fields, Entity>
  extends Omit<SignedKind<Entity>, 'fieldsOf' | 'toItem' | 'fromItem'> {
  /** Every row has them; they are signed in this order, which never changes. */
  readonly fields: Required;
  /** Signed only in rows that have them: adding one changes no other row. */
  readonly optional: Optional;
  /** Further attributes that are written, but neither read nor signed. @default - none */
  readonly derived?: (entity: Entity) => Item;
  /** Whether entities contain the signature of their row, so that it can be copied. @default false */
  readonly withSignature?: boolean;
}

const present = (fields: Fields, values: Readonly<Record<string, unknown>>): [string, Codec<unknown>][] =>
  Object.entries(fields).filter(([name]) => values[name] !== undefined);

/** What was signed of a row: its fields, then those that it may have as one object, sorted by name. */
const signedFields = (
  fields: Fields,
  optional: Fields,
  entity: Readonly<Record<string, unknown>>,
): Field[] => {
  const further = present(optional, entity).map(
    ([name, codec]) => [name, codec.signed(entity[name])] as const,
  );
  return [
    ...Object.entries(fields).map(([name, codec]) => codec.signed(entity[name])),
    ...(further.length === 0 ? [] : [Object.fromEntries(further.sort(([a], [b]) => (a < b ? -1 : 1)))]),
  ];
};

/**
 * Defines a kind of signed row by its fields: what it contains, how it is read and written, and what is signed all
 * follow from them.
 */
export const signedKind = <const Required extends Fields, const Optional extends Fields>({
  fields,
  optional,
  derived,
  withSignature = false,
  ...kind
}: Definition<Required, Optional, EntityOf<Required, Optional>>): SignedKind<
  EntityOf<Required, Optional>
> => {
  type Entity = EntityOf<Required, Optional>;
  const all: Fields = { ...fields, ...optional };
  return {
    ...kind,
    fieldsOf: (entity) => signedFields(fields, optional, entity),
    toItem: (entity) => {
      const values: Readonly<Record<string, unknown>> = entity;
      return {
        ...kind.keyOf(entity),
        ...derived?.(entity),
        ...Object.fromEntries(present(all, values).map(([name, codec]) => [name, codec.write(values[name])])),
        ...(withSignature && values[SIGNATURE] !== undefined ? { [SIGNATURE]: values[SIGNATURE] } : {}),
      };
    },
    fromItem: (item) =>
      ({
        ...Object.fromEntries(Object.entries(fields).map(([name, codec]) => [name, codec.read(item[name])])),
        ...Object.fromEntries(present(optional, item).map(([name, codec]) => [name, codec.read(item[name])])),
        ...(withSignature && item[SIGNATURE] !== undefined ? { [SIGNATURE]: item[SIGNATURE] } : {}),
      }) as Entity,
  };
};
