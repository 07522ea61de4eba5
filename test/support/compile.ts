import { substitute, textsFor, variablesOf } from '../../contract/content/templates.ts';
import type { JsonObject } from '../../contract/fields/fields.ts';

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
