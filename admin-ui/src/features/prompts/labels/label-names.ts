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
const OWN: Readonly<Record<string, string>> = { production: 'spruce', staging: 'slate', preview: 'plum' };
const OTHERS = [
  { color: 'gray', variant: 'light' },
  ...['slate', 'plum', 'spruce'].map((color) => ({ color, variant: 'outline' })),
];

/** The look of a label's badge: the same on every screen, whatever other labels there are. */
export const lookOfLabel = (label: string): { readonly color?: string; readonly variant?: string } => {
  const sum = [...label].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7);
  const own = Object.hasOwn(OWN, label) ? OWN[label] : undefined;
  return (own === undefined ? OTHERS[sum % OTHERS.length] : { color: own, variant: 'light' }) ?? {};
};
