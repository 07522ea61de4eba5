import { PLACEHOLDER } from '../../../contract/content/templates.ts';

/** Characters outside placeholders that a template must have: fewer occur in any text. */
const LEAST_LITERAL = 20;
/** Values that are read out, and how much of each. */
const MOST_VALUES = 20;
const VALUE_CHARACTERS = 200;

/** How a text reads as a compiled template. */
export interface Reading {
  /** Characters outside placeholders: the more, the less it is a coincidence. */
  readonly literal: number;
  /** The values by the names of their variables, cut; undefined if the text can be read in several ways. */
  readonly values?: readonly { readonly name: string; readonly value: string }[];
}

/** Where a text contains another first, from a position on; -1 if nowhere. Linear in both, whatever they are (Knuth, Morris, Pratt). */
const indexIn = (text: string, sought: string, from: number) => {
  const borders = new Int32Array(sought.length);
  const extended = (length: number, next: string) => {
    let known = length;
    while (known > 0 && sought[known] !== next) known = borders[known - 1] ?? 0;
    return sought[known] === next ? known + 1 : 0;
  };
  for (let at = 1; at < sought.length; at++) borders[at] = extended(borders[at - 1] ?? 0, sought.charAt(at));
  for (let at = from, known = 0; at < text.length; at++) {
    known = extended(known, text.charAt(at));
    if (known === sought.length) return at + 1 - known;
  }
  return -1;
};

/** Where each of the parts begins if each is as early as possible; undefined if they do not occur in this order. */
const earliest = (text: string, parts: readonly string[]): number[] | undefined => {
  const starts: number[] = [];
  let from = 0;
  for (const part of parts) {
    const start = part === '' ? from : indexIn(text, part, from);
    if (start < 0) return undefined;
    starts.push(start);
    from = start + part.length;
  }
  return starts;
};

const backwards = (text: string) => text.split('').reverse().join('');

/**
 * Reads a text as the result of compiling templates: what a template has outside its placeholders must occur in it, in
 * order; a placeholder at either end takes the text up to there. It can be read in one way only if the parts are in the same
 * places from the left and from the right. Linear in text and template. Returns undefined if it is none.
 */
export const createReader = (text: string) => {
  const reversed = backwards(text);
  return (template: string): Reading | undefined => {
    // Each placeholder's name is between the parts beside it.
    const split = template.split(PLACEHOLDER);
    const parts = split.filter((_, index) => index % 2 === 0);
    const names = split.filter((_, index) => index % 2 === 1);
    const literal = parts.reduce((sum, part) => sum + part.trim().length, 0);
    if (literal < LEAST_LITERAL || literal > text.length) return undefined;
    const starts = earliest(text, parts);
    if (starts === undefined) return undefined;
    const last = earliest(reversed, parts.map(backwards).reverse())?.reverse();
    const isSingle = parts.every((part, index) =>
      part === ''
        ? index === 0 || index === parts.length - 1
        : starts[index] === text.length - (last?.[index] ?? 0) - part.length,
    );
    const values = new Map<string, string>();
    for (const [index, name] of names.entries()) {
      const from = (starts[index] ?? 0) + (parts[index] ?? '').length;
      const isLast = index === names.length - 1 && parts.at(-1) === '';
      const value = text.slice(from, isLast ? undefined : starts[index + 1]);
      // One variable has one value.
      if (!isSingle || (values.get(name) ?? value) !== value) return { literal };
      values.set(name, value);
    }
    const read = [...values].slice(0, MOST_VALUES);
    return {
      literal,
      values: read.map(([name, value]) => ({ name, value: value.slice(0, VALUE_CHARACTERS) })),
    };
  };
};
