interface Named {
  readonly secretId: string;
  readonly key: string;
  readonly tags: readonly string[];
}

/** Words that usually name an environment; those in a row mean the same. */
const USUAL = [
  ['prod', 'prd', 'production', 'live'],
  ['stg', 'stage', 'staging'],
  ['qa', 'test', 'testing'],
  ['dev', 'development'],
  ['preview'],
  ['local'],
];
const SEPARATORS = /[_\-./:]+/;

/** The tags among these that usually name an environment. */
export const usualEnvironments = (tags: readonly string[]): string[] =>
  tags.filter((tag) => USUAL.flat().includes(tag.toLowerCase()));

const names = (word: string, environment: string): boolean =>
  word === environment || USUAL.some((same) => same.includes(word) && same.includes(environment));

/**
 * A key without the words that name one of the environments: `DATABASE_URL` for `PROD_DATABASE_URL` and for
 * `DATABASE_URL_STAGING`.
 */
export const commonName = (key: string, environments: readonly string[]): string => {
  const lower = environments.map((environment) => environment.toLowerCase());
  const words = key.split(SEPARATORS).filter((word) => word !== '');
  const others = words.filter((word) => !lower.some((environment) => names(word.toLowerCase(), environment)));
  return others.length === 0 || others.length === words.length ? key : others.join('_');
};

/** What an application needs in every environment, and the secrets of each environment that provide it. */
export interface EnvironmentRow {
  readonly name: string;
  /** For each environment. */
  readonly cells: readonly (readonly Named[])[];
  readonly isComplete: boolean;
}

/**
 * Puts the secrets of some environments side by side. An environment is a tag; keys are the same apart from the words
 * that name an environment.
 */
export const sideBySide = (
  secrets: readonly Named[],
  environments: readonly string[],
): readonly EnvironmentRow[] => {
  const concerned = secrets.filter(({ tags }) => environments.some((tag) => tags.includes(tag)));
  const byName = Map.groupBy(concerned, ({ key }) => commonName(key, environments));
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, group]) => {
      const cells = environments.map((tag) => group.filter(({ tags }) => tags.includes(tag)));
      return { name, cells, isComplete: cells.every((cell) => cell.length > 0) };
    });
};
