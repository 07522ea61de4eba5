/** A change of the prompt on the time axis. */
export interface Mark {
  /** Pixels from the left end of the axis. */
  readonly x: number;
  readonly text: string;
}

export type Side = 'left' | 'right';

// Pixels, on the safe side for the chart's own face and size.
const NARROW = 6.6;
const WIDE = 13;
const GAP = 8;

const widthOf = (text: string): number =>
  [...text].reduce((sum, char) => sum + (char <= '\u024f' || char === '→' ? NARROW : WIDE), GAP);

/**
 * On which side of its line the text of each mark has room, so that none runs into another, across a line or out of an
 * axis of this width; undefined where on neither. Marks stand in rising order.
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
