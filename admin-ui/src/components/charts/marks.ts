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

const ROWS = 4;

export interface PlacedMark extends Mark {
  /** Undefined if there is no room for the text in any row. */
  readonly side: Side | undefined;
  /** From the top, from 0. */
  readonly row: number;
}

/** The side and the row of the text of each mark: the next row if the one above has no room. */
export const placed = (marks: readonly Mark[], width: number): PlacedMark[] => {
  const found = new Map<Mark, PlacedMark>();
  let left = marks;
  for (let row = 0; row < ROWS; row++) {
    for (const [index, side] of sidesOf(left, width).entries()) {
      const mark = left[index];
      if (mark !== undefined && side !== undefined) found.set(mark, { ...mark, side, row });
    }
    left = left.filter((mark) => !found.has(mark));
  }
  return marks.map((mark) => found.get(mark) ?? { ...mark, side: undefined, row: 0 });
};
