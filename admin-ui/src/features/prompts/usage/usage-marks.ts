/** A change of the prompt on the time axis. */
export interface Mark {
  /** Pixels from the left end of the axis. */
  readonly x: number;
  readonly text: string;
}

export type Side = 'left' | 'right';

// Pixels, a safe estimate for the font of the chart.
const NARROW = 6.6;
const WIDE = 13;
const GAP = 8;

const widthOf = (text: string): number =>
  [...text].reduce((sum, char) => sum + (char <= '\u024f' || char === '→' ? NARROW : WIDE), GAP);

/**
 * The side of its line on which the text of each mark fits without overlapping another text, a line or the end of the
 * axis; undefined if on neither. Marks must be in ascending order.
 */
export const sidesOf = (marks: readonly Mark[], width: number): (Side | undefined)[] => {
  let free = 0;
  return marks.map(({ x, text }, index) => {
    const needed = widthOf(text);
    if (x - needed >= free) {
      free = x;
      return 'left';
    }
    free = Math.max(free, x);
    if (x + needed > (marks[index + 1]?.x ?? width)) return undefined;
    free = x + needed;
    return 'right';
  });
};
