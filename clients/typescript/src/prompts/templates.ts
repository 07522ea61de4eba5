import { substitute, variablesOf } from '../../../../contract/content/templates.ts';
import { invalidVariables } from '../../../../contract/content/variables.ts';
import { InvalidRequestError, MissingVariablesError } from '../errors.ts';
import { invalidCall } from '../refusals.ts';
import { isObject, type JsonObject, ownValue, quoted, type VariableDeclaration } from '../wire.ts';

/** What the author of a prompt says about its variables, by name. */
export type Declarations = { readonly [name: string]: VariableDeclaration };

/**
 * What a compile rejects: `true` placeholders without a value, `'exact'` also values without a placeholder, `false`
 * nothing.
 */
export type Strict = boolean | 'exact';

/** The variables of one or more templates. */
export interface Compilable {
  /** Names of the placeholders, in order of first occurrence. */
  readonly variables: readonly string[];
  readonly declarations?: Declarations | undefined;
}

const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

const isPromise = (value: unknown): boolean => isObject(value) && typeof value.then === 'function';

/** Whether JSON loses what a value is: of NaN it makes null, of a function nothing, of a Promise, Map or Error `{}`. */
export const isLost = (value: unknown): boolean => {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (!isObject(value)) return ['bigint', 'function', 'symbol'].includes(typeof value);
  // Objects of another realm have another prototype.
  const prototype = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  const isEmpty = Object.keys(value).length === 0;
  return isPromise(value) || (!isPlain && (isEmpty || Symbol.iterator in value || kindOf(value) === 'Error'));
};

/**
 * The text of a value: what it would mean after travelling as JSON. A Date becomes its text; undefined and null count as
 * absent. Errors: `invalid_request` for what JSON cannot hold, with the name of the variable and the kind of the value.
 */
export const textOf = (name: string, value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  let json: string | undefined;
  let reason = '';
  try {
    json = JSON.stringify(value, function (this: JsonObject, field, sent: unknown) {
      const isDropped = (sent ?? null) === null && (this[field] ?? null) !== null;
      if (!isDropped && !isLost(sent)) return sent;
      reason = ` (${kindOf(this[field])})${isPromise(sent) ? ': await it' : ''}`;
      throw new TypeError(reason);
    });
  } catch {
    throw invalidCall(`The variable ${JSON.stringify(name)} cannot be written as JSON${reason}.`);
  }
  if (json === undefined || json === 'null') return undefined;
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
};

/** Checks values against their declarations as the service does. */
const checkDeclared = (declarations: Declarations, values: JsonObject): void => {
  // What the values would be after travelling as JSON.
  const sent = Object.keys(declarations).map((name) => {
    return [name, JSON.parse(JSON.stringify(ownValue(values, name)) ?? 'null')];
  });
  const wrong = invalidVariables(declarations, Object.fromEntries(sent)).map(
    ({ name, expected, received }) => `${JSON.stringify(name)} must be ${expected}, not ${received}`,
  );
  if (wrong.length === 0) return;
  throw new InvalidRequestError(`The variable ${wrong.join('; ')}.`, { code: 'invalid_variables' });
};

const checkExact = (names: readonly string[], values: JsonObject): void => {
  const surplus = Object.keys(values).filter((name) => !names.includes(name));
  if (surplus.length === 0) return;
  const sentence = `The prompt has no placeholder for ${quoted(surplus)}.`;
  throw new InvalidRequestError(sentence, { code: 'unknown_variables' });
};

/**
 * The text for each placeholder: the value of the own property of `variables` with its name, or its default. One without
 * either has none, unless `strict` rejects it. Errors: `missing_variables`, `invalid_variables` and `unknown_variables`
 * (each names all, and no value), `invalid_request` (a value that JSON cannot hold).
 */
export const textsFor = (
  { variables: names, declarations = {} }: Compilable,
  variables: object,
  strict: Strict = false,
): Map<string, string> => {
  if (!isObject(variables)) throw invalidCall('The variables must be an object of names and values.');
  const texts = new Map<string, string>();
  for (const name of names) {
    const found =
      textOf(name, ownValue(variables, name)) ?? textOf(name, ownValue(declarations, name)?.default);
    if (found !== undefined) texts.set(name, found);
  }
  if (strict !== false) {
    const missing = names.filter((name) => !texts.has(name));
    if (missing.length > 0) throw new MissingVariablesError(missing);
    checkDeclared(declarations, variables);
  }
  if (strict === 'exact') checkExact(names, variables);
  return texts;
};

/**
 * Compiles a template exactly as the service does, without a call.
 * Errors: MissingVariablesError and InvalidRequestError `unknown_variables` (with `strict`), InvalidRequestError (a value
 * that JSON cannot express).
 */
export const compileTemplate = (
  template: string,
  variables: object,
  { strict = false }: { readonly strict?: Strict | undefined } = {},
): string => substitute(template, textsFor({ variables: variablesOf(template) }, variables, strict));
