const SHARE = 4;

/** Whether this is `npm run test:long`. */
export const isLong = process.env.CUEVAULT_TEST_LONG === '1';

/**
 * What random choices of a test start from: the same in every `npm test`, so that a run differs from the one before only
 * by what was changed; another in each `npm run test:long`, which prints it with a failure.
 */
export const SEED = isLong ? Math.floor(Math.random() * 2 ** 31) : 1;

/** All items in `npm run test:long`; otherwise the first, the last and every fourth of the others, in their order. */
export const sampled = <Item>(items: readonly Item[]): readonly Item[] =>
  isLong ? items : items.filter((_, index) => index % SHARE === 0 || index === items.length - 1);

/** A number of rows or attempts: `full` in `npm run test:long`, otherwise `few`, which must reveal the same fault. */
export const scaled = (full: number, few: number): number => (isLong ? full : few);

/**
 * Whether a run checks the screen with this index in the window with this index: always in `npm run test:long`,
 * otherwise each screen in every second window.
 */
export const isSampled = (screen: number, window: number): boolean => isLong || (screen + window) % 2 === 0;
