import { invalidCall, MissingVariablesError } from './errors.ts';
import type { JsonObject } from './wire.ts';

// The service's rule, to the character: `\s` would take more blanks than these.
const PLACEHOLDER = /\{\{[ \t\n\r\f\v]*([^{} \t\n\r\f\v]+)[ \t\n\r\f\v]*\}\}/g;

interface Placeholder {
  readonly name: string;
  /** As it stands in the template. */
  readonly written: string;
  /** The text between it and the next one. */
  readonly after: string;
}

/** A template, taken apart once so that compiling it again costs little. */
export interface Template {
  readonly before: string;
  readonly placeholders: readonly Placeholder[];
}

/** Takes a template apart. */
export const parseTemplate = (template: string): Template => {
  const matches = [...template.matchAll(PLACEHOLDER)];
  const placeholders = matches.map((match, i) => {
    const [written, name = ''] = match;
    return { name, written, after: template.slice(match.index + written.length, matches[i + 1]?.index) };
  });
  return { before: template.slice(0, matches[0]?.index), placeholders };
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

/**
 * Replaces each placeholder by the value of the same-named own property of `variables`, in one pass: values are
 * inserted as inert text. A placeholder without a value stays as written; with `strict` that is an error instead.
 * Errors: `missing_variables` (names every one), `invalid_request` (a value that JSON cannot hold).
 */
export const compileTemplate = (template: Template, variables: object, strict = false): string => {
  const values = variables as JsonObject;
  const missing: string[] = [];
  let compiled = template.before;
  for (const { name, written, after } of template.placeholders) {
    const text = Object.hasOwn(values, name) ? textOf(name, values[name]) : undefined;
    if (text === undefined) missing.push(name);
    compiled += (text ?? written) + after;
  }
  if (strict && missing.length > 0) throw new MissingVariablesError([...new Set(missing)]);
  return compiled;
};

/**
 * Compiles a template exactly as the service does, without a call.
 * Errors: `missing_variables` (with `strict`: names every one), `invalid_request` (a value that JSON cannot hold).
 */
export const compile = (
  template: string,
  variables: object,
  { strict = false }: { readonly strict?: boolean | undefined } = {},
): string => compileTemplate(parseTemplate(template), variables, strict);
