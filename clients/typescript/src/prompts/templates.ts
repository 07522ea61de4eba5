import { InvalidRequestError, invalidCall, MissingVariablesError, quoted } from '../errors.ts';
import type { JsonObject } from '../wire.ts';

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

/** Parses a template. */
export const parseTemplate = (template: string): Template => {
  const matches = [...template.matchAll(PLACEHOLDER)];
  const placeholders = matches.map((match, i) => {
    const [written, name = ''] = match;
    return { name, written, after: template.slice(match.index + written.length, matches[i + 1]?.index) };
  });
  const variables = Object.freeze([...new Set(placeholders.map(({ name }) => name))]);
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

const checkExact = (template: Template, values: JsonObject): void => {
  const surplus = Object.keys(values).filter((name) => !template.variables.includes(name));
  if (surplus.length === 0) return;
  const sentence = `The prompt has no placeholder for ${quoted(surplus)}.`;
  throw new InvalidRequestError(sentence, { code: 'unknown_variables' });
};

/**
 * Replaces each placeholder by the value of the own property of `variables` with its name, in one pass: values are
 * inserted as they are. A placeholder without a value stays as written, unless `strict` rejects it. Errors:
 * `missing_variables` and `unknown_variables` (each names all), `invalid_request` (a value that JSON cannot hold).
 */
export const compileTemplate = (template: Template, variables: object, strict: Strict = false): string => {
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) {
    throw invalidCall('The variables must be an object of names and values.');
  }
  const values = variables as JsonObject;
  const missing: string[] = [];
  let compiled = template.before;
  for (const { name, written, after } of template.placeholders) {
    const text = Object.hasOwn(values, name) ? textOf(name, values[name]) : undefined;
    if (text === undefined) missing.push(name);
    compiled += (text ?? written) + after;
  }
  if (strict !== false && missing.length > 0) throw new MissingVariablesError([...new Set(missing)]);
  if (strict === 'exact') checkExact(template, values);
  return compiled;
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
): string => compileTemplate(parseTemplate(template), variables, strict);
