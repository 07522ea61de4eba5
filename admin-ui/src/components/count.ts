import { inDigits } from './locale.ts';

/** A count with its noun, such as `1 API key` or `1,204 fetches`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${inDigits(count)} ${count === 1 ? one : many}`;
