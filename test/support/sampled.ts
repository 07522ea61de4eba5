const SHARE = 3;

/**
 * All items in `npm run test:long`; otherwise the first, the last and a random third of the others, in their order, so
 * that many runs together cover all of them.
 */
export const sampled = <Item>(items: readonly Item[]): readonly Item[] =>
  process.env.CUEVAULT_TEST_LONG === '1'
    ? items
    : items.filter((_, index) => index === 0 || index === items.length - 1 || Math.random() < 1 / SHARE);
