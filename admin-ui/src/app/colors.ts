import { colorsTuple } from '@mantine/core';

/** A color from its ten shades, the lightest first. */
const color = (shades: string) => colorsTuple(shades.split(' '));

// Shades are chosen by contrast, not in equal steps: those that theme.ts uses for text, or for surfaces under white
// text, have a contrast of at least 4.5 to 1.

export const spruce = color(
  '#e9f3f1 #d5e7e3 #b3d2cc #8cbab2 #67a399 #478b80 #2b7266 #1a5d53 #124940 #0b352e',
);
export const brick = color('#fbefec #f6ddd7 #ebbcb2 #e5a699 #e38e80 #c9604f #b5432f #9c3524 #7e2a1c #5e1e13');
export const amber = color('#fdf4e0 #f9e6bd #f2d28a #e9bb57 #dfa52f #c08415 #96650a #7f5506 #634204 #463002');
export const slate = color('#ecf1f8 #dae4f2 #b8cbe6 #92aed6 #7699cc #4f7cb5 #37649d #294f80 #1f3d64 #162c49');
export const plum = color('#f6eef4 #ebdae7 #d7b6cf #c595ba #b47aa8 #95538a #7c3f72 #65315d #4e2548 #391a34');
export const stone = color('#f8f8f5 #f0f0ec #e5e6e0 #d6d8d1 #bfc2ba #8c918a #666c66 #4f5550 #383e3a #222725');
export const charcoal = color(
  '#dbe0dc #c0c7c2 #a3aca6 #8b958f #404945 #303835 #232a28 #1a1f1e #131716 #0c0f0e',
);
