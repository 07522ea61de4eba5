// Requests from a JSON Schema: valid ones, and hostile mutations of them. Everything derives from a seed.
import { fractionsFrom } from '../support/random.ts';
import type { Json } from '../support/vectors.ts';

/** Random choices; the same seed makes the same ones. */
export interface Dice {
  /** A whole number from 0 to `most` - 1. */
  readonly below: (most: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** True once in `times`. */
  readonly oneIn: (times: number) => boolean;
}

export const createDice = (seed: number): Dice => {
  const next = fractionsFrom(seed);
  const below = (most: number) => Math.floor(next() * most);
  return {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    oneIn: (times) => below(times) === 0,
  };
};

const TEXTS: readonly string[] = [
  ...['', ' ', '\t', '\u0000', '\ud800', 'é', 'e\u0301', '\u202e', '\u200b', '😀', '本番', '"', "'", '\\'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'latest', 'HEAD', '#', 'a#b', '*', '..', '/'],
  ...['%', '%00', '%2F', '%E0%A4', '{{x}}', '{{', '}}', '$&', '<script>', 'null', 'true', '[]', '{}'],
  ...['0', '-1', '1.5', '1e309', 'NaN', '007', '9007199254740990', '9007199254740991', '9007199254740992'],
  ...['99999999999999999999', '1.0.0', '01.0.0', '1000000000.0.0', '1.0', '2026-02-31', '2026-01-31', 'e30'],
  ...['x'.repeat(129), 'é'.repeat(300), 'x'.repeat(5_000), 'A=b\n#'.repeat(50)],
];

const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e308, [], {}, [[]], [null], [{}]],
  ...[{ __proto__: null }, { constructor: 1 }, { '': '' }, Array.from({ length: 300 }, () => 'x')],
];

const nested = (depth: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Any value, of any type. */
const hostileValue = (dice: Dice): unknown => {
  if (dice.oneIn(12)) return nested(dice.pick([3, 63, 64, 65, 200]));
  return dice.oneIn(3) ? dice.pick(VALUES) : dice.pick(TEXTS);
};

export const hostileText = (dice: Dice): string => dice.pick(TEXTS);

/** A value that roughly satisfies a schema; `known` has values for names that refer to something. */
export const valueFor = (dice: Dice, schema: Json, name: string, known: Known): unknown => {
  const real = known[name];
  if (real !== undefined && !dice.oneIn(5)) return dice.pick(real);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return dice.pick(schema.enum);
  if (schema.anyOf !== undefined) return valueFor(dice, dice.pick(schema.anyOf), name, known);
  if (schema.examples !== undefined) return dice.pick(schema.examples);
  const type = dice.pick([schema.type ?? 'string'].flat());
  if (type === 'object') return objectFor(dice, schema, known);
  if (type === 'array') {
    return Array.from({ length: dice.below(3) }, () => valueFor(dice, schema.items ?? {}, name, known));
  }
  if (type === 'integer' || type === 'number') return (schema.minimum ?? 0) + dice.below(5);
  if (type === 'boolean') return dice.oneIn(2);
  if (type === 'null') return null;
  return dice.oneIn(3) ? hostileText(dice) : `text-${dice.below(50)}`;
};

/** Values that exist in the instance, by the name of the field or parameter. */
export type Known = Readonly<Record<string, readonly unknown[] | undefined>>;

const objectFor = (dice: Dice, { properties = {}, required = [] }: Json, known: Known): object =>
  Object.fromEntries(
    Object.entries<Json>(properties)
      .filter(([name]) => required.includes(name) || dice.oneIn(2))
      .map(([name, schema]) => [name, valueFor(dice, schema, name, known)]),
  );

/** A body with one of its parts replaced, removed, added or misspelled. */
export const mutated = (dice: Dice, body: unknown): unknown => {
  if (typeof body !== 'object' || body === null || dice.oneIn(15)) return hostileValue(dice);
  const entries = Object.entries(body);
  const name = entries.length === 0 ? 'x' : (dice.pick(entries)[0] ?? 'x');
  const rest = Object.fromEntries(entries.filter(([other]) => other !== name));
  if (dice.oneIn(6)) return rest;
  if (dice.oneIn(6)) return { ...body, [hostileText(dice)]: hostileValue(dice) };
  return { ...rest, [name]: hostileValue(dice) };
};

/** The text of a body: JSON, or sometimes something that is not. */
export const textOf = (dice: Dice, body: unknown): Buffer => {
  const text = Buffer.from(JSON.stringify(body) ?? '');
  if (!dice.oneIn(12)) return text;
  return dice.pick([
    text.subarray(0, dice.below(text.length + 1)),
    Buffer.concat([Buffer.from('\ufeff'), text]),
    Buffer.concat([text, Buffer.from([0xff, 0xfe])]),
    Buffer.concat([text, text]),
    Buffer.from('{"name":"a","name":"b"}'),
    Buffer.alloc(17 * 1024, ' '),
    Buffer.from('{"a":1e999}'),
  ]);
};
