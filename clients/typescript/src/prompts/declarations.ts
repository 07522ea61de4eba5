import { InvalidRequestError } from '../errors.ts';
import { isObject, type JsonObject, ownValue, type VariableDeclaration } from '../wire.ts';

/** What the author of a prompt says about its variables, by name. */
export type Declarations = { readonly [name: string]: VariableDeclaration };

const jsonTypeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Text that equal JSON values have in common, whatever the order of their properties. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );

const fits = (value: unknown, { type, enum: allowed }: VariableDeclaration): boolean => {
  if (type === 'integer' ? !Number.isInteger(value) : jsonTypeOf(value) !== type) return false;
  return allowed === undefined || allowed.some((each) => canonical(each) === canonical(value));
};

/**
 * Checks values against their declarations as the service does; one that is absent or null is not checked.
 * Errors: `invalid_variables`, which names all, and the types, but no value.
 */
export const checkDeclared = (declarations: Declarations, values: JsonObject): void => {
  const wrong = Object.entries(declarations).flatMap(([name, declaration]) => {
    // What the value would be after travelling as JSON.
    const value: unknown = JSON.parse(JSON.stringify(ownValue(values, name)) ?? 'null');
    if (value === null || fits(value, declaration)) return [];
    const { type, enum: allowed } = declaration;
    const expected = allowed?.map((each) => JSON.stringify(each)).join(' or ') ?? type;
    return [`${JSON.stringify(name)} must be ${expected}, not ${jsonTypeOf(value)}`];
  });
  if (wrong.length === 0) return;
  throw new InvalidRequestError(`The variable ${wrong.join('; ')}.`, { code: 'invalid_variables' });
};
