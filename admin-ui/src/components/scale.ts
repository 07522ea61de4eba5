const LINES = 4;

/** The distance of the lines of a scale from 0 to at least `most`: 1, 2 or 5 times a power of ten. */
export const stepFor = (most: number): number => {
  const least = Math.max(1, most / LINES);
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
};
