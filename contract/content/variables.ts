import { isObject, type JsonObject } from '../fields/patterns.ts';
import type { VariableDeclaration, Variables, VariableType } from './content.ts';

/** The JSON type of a value, as error messages name it. */
export const jsonTypeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

export const isOfType = (value: unknown, type: VariableType): boolean =>
  type === 'integer' ? Number.isInteger(value) : jsonTypeOf(value) === type;

/** Text that equal JSON values have in common, whatever the order of their properties. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, each) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );

/** Whether a value has the type of a declaration and is in its enum. */
export const fits = (value: unknown, { type, enum: allowed }: VariableDeclaration): boolean => {
  if (!isOfType(value, type)) return false;
  if (allowed === undefined) return true;
  const text = canonical(value);
  return allowed.some((each) => canonical(each) === text);
};

/** Whether callers must send a value: nothing says what applies without one. */
export const isRequired = (declaration: VariableDeclaration | undefined): boolean =>
  declaration?.default === undefined;

/** The declaration of a variable, if it has one: `declared(variables, "constructor")` is not a built-in function. */
export const declared = (variables: Variables | undefined, name: string): VariableDeclaration | undefined =>
  variables !== undefined && Object.hasOwn(variables, name) ? variables[name] : undefined;

/** A value that does not fit its declaration, without the value itself. */
export interface InvalidVariable {
  readonly name: string;
  /** What the declaration says, such as `integer` or `"friendly" or "formal"`. */
  readonly expected: string;
  /** The JSON type of the value. */
  readonly received: string;
}

const expectedOf = ({ type, enum: allowed }: VariableDeclaration) =>
  allowed === undefined ? type : allowed.map((value) => JSON.stringify(value)).join(' or ');

/** The values that do not fit their declarations. A value that is absent or null is not checked. */
export const invalidVariables = (variables: Variables | undefined, values: JsonObject): InvalidVariable[] =>
  Object.entries(variables ?? {}).flatMap(([name, declaration]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null || fits(value, declaration)) return [];
    return [{ name, expected: expectedOf(declaration), received: jsonTypeOf(value) }];
  });

/** The values with the defaults of the variables whose value is absent or null. */
export const withDefaults = (variables: Variables | undefined, values: JsonObject): JsonObject => {
  const defaults = Object.entries(variables ?? {}).filter(
    ([name, declaration]) =>
      !isRequired(declaration) && (!Object.hasOwn(values, name) || (values[name] ?? null) === null),
  );
  if (defaults.length === 0) return values;
  const own = [...Object.entries(values), ...defaults.map(([name, each]) => [name, each.default] as const)];
  return Object.fromEntries(own);
};
