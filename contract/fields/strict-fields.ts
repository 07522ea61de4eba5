import { closestMatch } from 'leven';
import * as z from 'zod/mini';

const NAME_CHARACTERS = 64;
const MOST_DIFFERENCES = 3;

type Issue = Readonly<Record<string, unknown>> & { readonly path?: readonly PropertyKey[] | undefined };

const unknownField = ({ keys, path = [] }: Issue, known: readonly string[]): string => {
  const name = String((keys as readonly string[])[0]).slice(0, NAME_CHARACTERS);
  const outer = path.length === 0 ? '' : ` of "${path.join('.')}"`;
  const nearest = closestMatch(name.toLowerCase(), known, { maxDistance: MOST_DIFFERENCES });
  if (nearest !== undefined) return `"${name}" is not a field${outer}. Did you mean "${nearest}"?`;
  return `"${name}" is not a field${outer}. ${known.length === 0 ? 'There are none.' : `The fields are ${known.join(', ')}.`}`;
};

/**
 * An object of exactly these fields. Any other is refused by name, with the field it resembles: a misspelled limit must
 * not be ignored. `error` says what the value must be if it is no object.
 */
export const strictFields = <const Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  { error = 'must be an object' }: { readonly error?: string } = {},
) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownField(issue, Object.keys(shape)) : error),
  });
