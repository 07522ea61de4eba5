import { PRODUCTION } from '../../../../../contract/content/live.ts';

export { PRODUCTION };

/** Stands for no label: callers that name none get the latest version, and no label can have this name. */
export const LATEST = 'latest';

export const SUGGESTED = [PRODUCTION, 'staging', 'preview'];

interface Labelled {
  readonly label: string;
}

/** Some labels, and others that a prompt could have. */
export const suggestedFor = (labels: readonly string[]): string[] => [...new Set([...labels, ...SUGGESTED])];

export const productionFirst = <Entry extends Labelled>(labels: readonly Entry[]): Entry[] =>
  labels.toSorted((a, b) => Number(b.label === PRODUCTION) - Number(a.label === PRODUCTION));

/** The label for snippets: production, or else the first; undefined if there is none. */
export const defaultLabel = (labels: readonly Labelled[]): string | undefined =>
  productionFirst(labels)[0]?.label;

// Brick and amber are for mistakes and warnings.
const COLORS = new Map([
  [PRODUCTION, 'spruce'],
  ['staging', 'slate'],
  ['preview', 'plum'],
]);

/** The color of a label's badge: the same on every screen, whatever other labels there are. */
export const colorOfLabel = (label: string): string => COLORS.get(label) ?? 'gray';
