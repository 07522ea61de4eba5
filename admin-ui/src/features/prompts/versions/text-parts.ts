import type { VariableDeclaration } from '../../../../../contract/content/content.ts';
import { PLACEHOLDER, textsFor, variablesOf } from '../../../../../contract/content/templates.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { joined } from '../../../components/locale.ts';

/** A part of a compiled text: from the template, inserted for a variable, or missing. */
interface Part {
  readonly kind: 'text' | 'value' | 'missing';
  readonly text: string;
  /** Where it begins in the template. */
  readonly at: number;
}

/** The compiled text in parts, in order; joined, they are what the service returns. */
export const partsOf = (template: string, variables: JsonObject): Part[] => {
  const texts = textsFor(variablesOf(template), variables);
  const parts: Part[] = [];
  let end = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    const [placeholder, name = ''] = match;
    const value = texts.get(name);
    parts.push({ kind: 'text', text: template.slice(end, match.index), at: end });
    parts.push({
      kind: value === undefined ? 'missing' : 'value',
      text: value ?? placeholder,
      at: match.index,
    });
    end = match.index + placeholder.length;
  }
  return [...parts, { kind: 'text', text: template.slice(end), at: end }];
};

/** What is declared about a variable, in words. */
export const wordsOf = ({ type, description, enum: allowed, default: preset }: VariableDeclaration): string =>
  joined(
    [
      type,
      preset === undefined ? 'required' : `default ${JSON.stringify(preset)}`,
      allowed && `one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`,
      description,
    ],
    ', ',
  );

/** A value as text: a string as it is, nothing for none, anything else as JSON. */
export const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
