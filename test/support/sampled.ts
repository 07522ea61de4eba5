const SHARE = 4;

const isLong = process.env.CUEVAULT_TEST_LONG === '1';

/**
 * All items in `npm run test:long`; otherwise the first, the last and a random quarter of the others, in their order, so
 * that many runs together cover all of them.
 */
export const sampled = <Item>(items: readonly Item[]): readonly Item[] =>
  isLong
    ? items
    : items.filter((_, index) => index === 0 || index === items.length - 1 || Math.random() < 1 / SHARE);

/** A number of rows or attempts: `full` in `npm run test:long`, otherwise `few`, which must reveal the same fault. */
export const scaled = (full: number, few: number): number => (isLong ? full : few);

const turn = Math.floor(Math.random() * 2);

/**
 * Whether a run checks the screen with this index in the window with this index: always in `npm run test:long`,
 * otherwise each screen in every second window. Which one it is differs between runs.
 */
export const isTurnOf = (screen: number, window: number): boolean =>
  isLong || (screen + window + turn) % 2 === 0;
