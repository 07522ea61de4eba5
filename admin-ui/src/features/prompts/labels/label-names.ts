/** The label that applications are proposed to follow. */
export const PRODUCTION = 'production';

export const SUGGESTED = [PRODUCTION, 'staging', 'preview'];

/** Whether a label may not be called that: callers that name no label get the latest version. */
export const isReserved = (label: string): boolean => label.toLowerCase() === 'latest';

export const RESERVED_REASON =
  'Choose another name: callers that ask for no label and no version get the latest version.';

/** The label that snippets ask for: production, or else the first; undefined where there is none. */
export const defaultLabel = (labels: readonly { readonly label: string }[]): string | undefined => {
  const names = labels.map(({ label }) => label).filter((label) => !isReserved(label));
  return names.includes(PRODUCTION) ? PRODUCTION : names[0];
};
