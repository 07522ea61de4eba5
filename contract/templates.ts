import type { JsonObject } from './fields/fields.ts';

// The blanks are spelled out because `\s` means other characters in other languages, and clients have to agree.
// Neither blanks nor names hold braces, so no stretch of a template is tried from two starting points.
/** A placeholder; its first group is the name. For `matchAll` and `replace` alone, which leave no state in it. */
export const PLACEHOLDER = /\{\{[ \t\n\r\f\v]*([^{} \t\n\r\f\v]+)[ \t\n\r\f\v]*\}\}/g;

/** Names of the placeholders of a template, each once, in the order in which they first occur. */
export const variablesOf = (template: string): string[] => [
  ...new Set(Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name)),
];

/** Text of a value: a string as it is, anything else as compact JSON. What JSON writes as null has none. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  const json: string | undefined = JSON.stringify(value);
  return json === 'null' ? undefined : json;
};

/** Texts of the variables that a template names and that have a value. */
export const textsFor = (template: string, variables: JsonObject): Map<string, string> => {
  const texts = new Map<string, string>();
  for (const name of variablesOf(template)) {
    const text = Object.hasOwn(variables, name) ? textOf(variables[name]) : undefined;
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
};

/** The template with its placeholders replaced by these texts; one without a text stays as written. */
export const substitute = (template: string, texts: ReadonlyMap<string, string>): string =>
  template.replace(PLACEHOLDER, (placeholder, name: string) => texts.get(name) ?? placeholder);

/** Names of the placeholders that have no text, in the order in which they first occur. */
export const missingFrom = (template: string, texts: ReadonlyMap<string, string>): string[] =>
  variablesOf(template).filter((name) => !texts.has(name));

export interface Compiled {
  readonly text: string;
  /** Names of the placeholders that stay as written, in the order in which they first occur. */
  readonly missing: readonly string[];
}

/**
 * Replaces each placeholder `{{name}}` by the value of the own property `name` of `variables`, in one pass: values
 * are inserted as inert text. A placeholder without a value stays as written, everything else comes back as it is.
 */
export const compile = (template: string, variables: JsonObject): Compiled => {
  const texts = textsFor(template, variables);
  return { text: substitute(template, texts), missing: missingFrom(template, texts) };
};
