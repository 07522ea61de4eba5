import { inDigits } from './locale.ts';

/** A count with its noun, such as `1 API key` or `1,204 fetches`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${inDigits(count)} ${count === 1 ? one : many}`;

/** The same as a list of words to join; empty for a count of zero. */
export const countedIfAny = (count: number, one: string, many = `${one}s`): string[] =>
  count === 0 ? [] : [counted(count, one, many)];

/** How often, such as `once` or `12 times`. */
export const times = (count: number): string => (count === 1 ? 'once' : counted(count, 'time'));

/** What a list holds, such as `3 secrets`, or `3 secrets found` if it is filtered. */
export const foundOf = (total: number, one: string, isFiltered: boolean): string =>
  `${counted(total, one)}${isFiltered ? ' found' : ''}`;

/** The first of `total` names, and how many more there are. */
export const listed = (names: readonly string[], most: number, total = names.length): string =>
  names.slice(0, most).join(', ') + (total > most ? ` and ${inDigits(total - most)} more` : '');
