import { closestMatch } from 'leven';
import * as z from 'zod/mini';
import { LIMITS, utf8Bytes } from '../limits.ts';
import { isObject, type JsonObject, VERSION_PATTERN } from './patterns.ts';

export type { JsonObject } from './patterns.ts';

const within = (bytes: number) =>
  z.refine<string>((text) => utf8Bytes(text) <= bytes, `must be at most ${bytes} bytes of UTF-8`);

const filled = z.minLength(1, 'must not be empty');

/** The schema with a description, which OpenAPI and the schemas of events contain. */
export const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema =>
  schema.check(z.meta({ description }));

const string = z.string('must be a string');

const limited = (schema: typeof string, bytes: number, description: string) =>
  described(schema.check(within(bytes)), `${description} At most ${bytes} bytes of UTF-8.`);

/** A text of 0 to `bytes` bytes of UTF-8. */
export const longText = (bytes: number, description: string) => limited(string, bytes, description);

/** A text of 1 to `bytes` bytes of UTF-8. */
export const text = (bytes: number, description: string) => longText(bytes, description).check(filled);

/** The same for a name. Some systems write an accent as a character of its own: names that look the same are the same. */
export const nameText = (bytes: number, description: string) =>
  limited(string.check(z.normalize('NFC')), bytes, description).check(filled);

/** A free-form object. It is checked, never rebuilt: a copy would lose a property named `__proto__`. */
export const freeObject = (description: string, bytes?: number) =>
  z.custom<JsonObject>(isObject, 'must be an object').check(
    z.refine(
      (value) => bytes === undefined || utf8Bytes(JSON.stringify(value)) <= bytes,
      `must be at most ${bytes} bytes as JSON`,
    ),
    z.meta({
      description: bytes === undefined ? description : `${description} At most ${bytes} bytes as JSON.`,
      type: 'object',
      additionalProperties: true,
    }),
  );

export const flag = (description: string) => described(z.boolean('must be true or false'), description);

export const version = z
  .string('must be a string of the form MAJOR.MINOR.PATCH, such as "1.2.0"')
  .check(
    z.regex(
      VERSION_PATTERN,
      'must be of the form MAJOR.MINOR.PATCH, such as "1.2.0": three whole numbers up to 999999999 without leading zeros, no "v", no pre-release',
    ),
    z.meta({ description: 'Semantic version, exactly MAJOR.MINOR.PATCH.', examples: ['1.2.0'] }),
  );

export const promptName = nameText(LIMITS.promptNameBytes, 'Name of the prompt.');
export const promptId = text(64, 'Unique identifier of the prompt.');
export const label = text(LIMITS.labelBytes, 'Name of a moving pointer to a version, such as `production`.');

/** A list of `least` to `most` entries. */
export const listOf = <Item extends z.ZodMiniType>(
  item: Item,
  most: number,
  description: string,
  least = 0,
  error = 'must be an array',
) =>
  z
    .array(item, error)
    .check(
      ...(least > 0 ? [z.minLength(least, 'must not be empty')] : []),
      z.maxLength(most, `must have at most ${most} entries`),
      z.meta({ description }),
    );

export const tag = text(LIMITS.tagBytes, 'A tag.');
export const tags = (description: string) =>
  listOf(tag, LIMITS.tags, description, 0, 'must be an array of strings');

const NAME_CHARACTERS = 64;
const MOST_DIFFERENCES = 3;

type Issue = Readonly<Record<string, unknown>> & { readonly path?: readonly PropertyKey[] | undefined };

const unknownField = ({ keys, path = [] }: Issue, known: readonly string[]) => {
  const name = String((keys as readonly string[])[0]).slice(0, NAME_CHARACTERS);
  const outer = path.length === 0 ? '' : ` of "${path.join('.')}"`;
  const nearest = closestMatch(name.toLowerCase(), known, { maxDistance: MOST_DIFFERENCES });
  if (nearest !== undefined) return `"${name}" is not a field${outer}. Did you mean "${nearest}"?`;
  return `"${name}" is not a field${outer}. ${known.length === 0 ? 'There are none.' : `The fields are ${known.join(', ')}.`}`;
};

const noObject = (shape: z.core.$ZodLooseShape) => {
  const names = Object.keys(shape);
  const required = names.filter((name) => !z.safeParse(shape[name], undefined).success);
  const [some, needed] = required.length === 0 ? [' some of', names] : ['', required];
  return `must be a JSON object with${some} ${needed.map((name) => `"${name}"`).join(', ')}`;
};

/**
 * An object of exactly these fields. Any other is refused by name, with the field it resembles: a misspelled limit must
 * not be ignored.
 */
export const strictFields = <const Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownField(issue, Object.keys(shape)) : noObject(shape),
  });
