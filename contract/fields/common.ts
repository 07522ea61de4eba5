import * as z from 'zod/mini';
import { described, label, text } from './fields.ts';

export const quoted = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(', ');

export const oneOf = <const Word extends string>(words: readonly Word[], description: string) =>
  described(z.enum(words, `must be one of ${quoted(words)}`), description);

/** A text that the service itself writes. */
export const anyText = z.string();

export const string = (description: string) => described(anyText, description);

export const arrayOf = <Item extends z.ZodMiniType>(item: Item, description: string) =>
  described(z.array(item), description);

export const optional = <Schema extends z.ZodMiniType>(schema: Schema, description: string) =>
  z.optional(described(schema, description));

export const strings = (description: string) => arrayOf(anyText, description);

export const optionalString = (description: string) => optional(anyText, description);

export const time = (description: string) =>
  anyText.check(z.meta({ description: `${description} ISO 8601 in UTC.`, format: 'date-time' }));

export const operator = (description: string) =>
  described(anyText, `${description} E-mail address of the operator.`);

export const count = (description: string) => z.int().check(z.gte(0), z.meta({ description }));

/** A whole number from `least` to `most`. */
export const whole = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int(error).check(z.gte(least, error), z.lte(most, error));
};

export const secretId = text(64, 'Unique identifier of the secret.');
export const keyId = text(64, 'Public part of an API key. It identifies the key and grants nothing.');

// A label is part of a path, so it must not contain characters with a meaning in paths.
export const pathLabel = label.check(
  z.regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u,
    'must begin with a letter or digit and contain only letters, digits, ".", "_" and "-"',
  ),
);

/** Reserved: callers without a version or label get the latest version; a label of this name could serve another. */
const RESERVED_LABEL = 'latest';

/** The name of a label to set. */
export const newPathLabel = pathLabel.check(
  z.refine(
    (name) => name.toLowerCase() !== RESERVED_LABEL,
    'must not be "latest": callers that ask for no label get the latest version. Choose another name, such as "production"',
  ),
);

/** How long something deleted can still be restored. */
export const restorableUntil = time('It can be restored until this time.');

/** A number that changes with every save. A request with an outdated number is rejected. */
export const revision = (description: string) =>
  z
    .int(`must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`)
    .check(z.gte(0, 'must not be negative'), z.meta({ description }));
