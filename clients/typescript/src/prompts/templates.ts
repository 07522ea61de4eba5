import { InvalidRequestError, invalidCall, MissingVariablesError, quoted } from '../errors.ts';
import { isObject, type JsonObject, ownValue } from '../wire.ts';
import { checkDeclared, type Declarations } from './declarations.ts';

// Exactly the service's rule: `\s` would match more blanks.
const PLACEHOLDER = /\{\{[ \t\n\r\f\v]*([^{} \t\n\r\f\v]+)[ \t\n\r\f\v]*\}\}/g;

interface Placeholder {
  readonly name: string;
  /** The placeholder as written in the template. */
  readonly written: string;
  /** The text between it and the next one. */
  readonly after: string;
}

/** A parsed template. */
export interface Template {
  readonly before: string;
  readonly placeholders: readonly Placeholder[];
  /** Names of the placeholders, in order of first occurrence. */
  readonly variables: readonly string[];
}

/**
 * What a compile rejects: `true` placeholders without a value, `'exact'` also values without a placeholder, `false`
 * nothing.
 */
export type Strict = boolean | 'exact';

/** Templates that are compiled with the same variables. */
export interface Compilable {
  readonly templates: readonly Template[];
  /** Names of their placeholders, in order of first occurrence. */
  readonly variables: readonly string[];
  readonly declarations?: Declarations | undefined;
}

/** Parses a template. */
export const parseTemplate = (template: string): Template => {
  const matches = [...template.matchAll(PLACEHOLDER)];
  const placeholders = matches.map((match, i) => {
    const [written, name = ''] = match;
    return { name, written, after: template.slice(match.index + written.length, matches[i + 1]?.index) };
  });
  const variables = [...new Set(placeholders.map(({ name }) => name))];
  return { before: template.slice(0, matches[0]?.index), placeholders, variables };
};

// A value means what it would mean after travelling as JSON: a Date becomes its text, NaN becomes null, and null
// counts as absent.
const textOf = (name: string, value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    throw invalidCall(`The variable ${JSON.stringify(name)} cannot be written as JSON.`);
  }
  if (json === undefined || json === 'null') return undefined;
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
};

const checkExact = (names: readonly string[], values: JsonObject): void => {
  const surplus = Object.keys(values).filter((name) => !names.includes(name));
  if (surplus.length === 0) return;
  const sentence = `The prompt has no placeholder for ${quoted(surplus)}.`;
  throw new InvalidRequestError(sentence, { code: 'unknown_variables' });
};

const filled = ({ before, placeholders }: Template, texts: ReadonlyMap<string, string>): string =>
  placeholders.reduce(
    (text, { name, written, after }) => text + (texts.get(name) ?? written) + after,
    before,
  );

/**
 * Replaces each placeholder by the value of the own property of `variables` with its name, or by its default, in one
 * pass: values are inserted as they are. A placeholder without either stays as written, unless `strict` rejects it.
 * Returns one text for each template. Errors: `missing_variables`, `invalid_variables` and `unknown_variables` (each names
 * all), `invalid_request` (a value that JSON cannot hold).
 */
export const compileTemplates = (
  { templates, variables: names, declarations = {} }: Compilable,
  variables: object,
  strict: Strict = false,
): string[] => {
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
  return templates.map((template) => filled(template, texts));
};

/**
 * Compiles a template exactly as the service does, without a call.
 * Errors: MissingVariablesError and InvalidRequestError `unknown_variables` (with `strict`), InvalidRequestError (a value
 * that JSON cannot express).
 */
export const compile = (
  template: string,
  variables: object,
  { strict = false }: { readonly strict?: Strict | undefined } = {},
): string => {
  const parsed = parseTemplate(template);
  const [compiled = ''] = compileTemplates({ ...parsed, templates: [parsed] }, variables, strict);
  return compiled;
};
