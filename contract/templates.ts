import type { JsonObject } from './fields/fields.ts';

// The blanks are listed because `\s` matches different characters in other languages, and clients must agree.
// Neither blanks nor names contain braces, so no part of a template is matched from two starting points.
/** A placeholder; its first group is the name. Use only `matchAll` and `replace`, which leave no state in it. */
export const PLACEHOLDER = /\{\{[ \t\n\r\f\v]*([^{} \t\n\r\f\v]+)[ \t\n\r\f\v]*\}\}/g;

/** The distinct names of the placeholders of a template, in order of first occurrence. */
export const variablesOf = (template: string): string[] => [
  ...new Set(Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name)),
];

/** Text of a value: a string as it is, anything else as compact JSON; undefined if its JSON is null. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  const json: string | undefined = JSON.stringify(value);
  return json === 'null' ? undefined : json;
};

/** Texts of the variables with these names that have a value. */
export const textsFor = (names: readonly string[], variables: JsonObject): Map<string, string> => {
  const texts = new Map<string, string>();
  for (const name of names) {
    const text = Object.hasOwn(variables, name) ? textOf(variables[name]) : undefined;
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
};

/** The template with its placeholders replaced by these texts; one without a text stays as written. */
export const substitute = (template: string, texts: ReadonlyMap<string, string>): string =>
  template.replace(PLACEHOLDER, (placeholder, name: string) => texts.get(name) ?? placeholder);

/** Size of a compiled template, in bytes; measures each text once, however often it occurs. */
export const substitutedBytes = (
  template: string,
  texts: ReadonlyMap<string, string>,
  bytesOf: (text: string) => number,
): number => {
  const sizes = new Map(Array.from(texts, ([name, text]) => [name, bytesOf(text)]));
  let bytes = bytesOf(template);
  for (const [placeholder, name = ''] of template.matchAll(PLACEHOLDER)) {
    const size = sizes.get(name);
    if (size !== undefined) bytes += size - bytesOf(placeholder);
  }
  return bytes;
};

export interface Compiled {
  readonly text: string;
  /** Names of the placeholders that stay as written, in order of first occurrence. */
  readonly missing: readonly string[];
}

/**
 * Replaces each placeholder `{{name}}` with the value of the own property `name` of `variables`, in a single pass:
 * values are inserted as plain text. A placeholder without a value stays as written; everything else is unchanged.
 */
export const compile = (template: string, variables: JsonObject): Compiled => {
  const names = variablesOf(template);
  const texts = textsFor(names, variables);
  return { text: substitute(template, texts), missing: names.filter((name) => !texts.has(name)) };
};
