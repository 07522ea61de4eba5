import { PRODUCTION } from '../../../../../contract/live.ts';

export { PRODUCTION };

export const SUGGESTED = [PRODUCTION, 'staging', 'preview'];

/** Whether a name is reserved: callers that name no label get the latest version. */
export const isReserved = (label: string): boolean => label.toLowerCase() === 'latest';

export const RESERVED_REASON =
  'Choose another name: callers that ask for no label and no version get the latest version.';

export const productionFirst = <Entry extends { readonly label: string }>(
  labels: readonly Entry[],
): Entry[] => labels.toSorted((a, b) => Number(b.label === PRODUCTION) - Number(a.label === PRODUCTION));

/** The label for snippets: production, or else the first; undefined if there is none. */
export const defaultLabel = (labels: readonly { readonly label: string }[]): string | undefined => {
  const names = labels.map(({ label }) => label);
  return names.includes(PRODUCTION) ? PRODUCTION : names[0];
};

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
