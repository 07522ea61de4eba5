import * as fc from 'fast-check';

/** Any well-formed text. The unit "binary" of fast-check takes half a second to make. */
export const anyText = fc.string({
  unit: fc.nat(0x10f7ff).map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800)),
});

/** Returns a whole number from 0 up to, but not including, a bound. */
export type Random = (below: number) => number;

/** Pseudorandom numbers from 0 up to, but not including, 1 (mulberry32): the same seed gives the same ones. */
export const fractionsFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Pseudorandom whole numbers, so that a failure can be reproduced from its seed. */
export const randomFrom = (seed: number): Random => {
  const next = fractionsFrom(seed);
  return (below) => (next() * 2 ** 32) % below;
};
