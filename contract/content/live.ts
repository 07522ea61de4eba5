/** The label that the admin UI suggests to applications. */
export const PRODUCTION = 'production';

interface Pointed {
  readonly latest: string;
  readonly labels: readonly { readonly label: string; readonly version: string }[];
}

/** The version that most applications get: that of `production`, else the latest. */
export const liveVersion = ({ labels, latest }: Pointed): string =>
  labels.find(({ label }) => label === PRODUCTION)?.version ?? latest;
