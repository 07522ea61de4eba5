import { refuse } from './settings.ts';

/** The names of all options of a function. */
export type Names<Options> = { readonly [name in keyof Options]-?: true };

/** How many letters must change to get from one word to the other (Levenshtein). */
const distance = (a: string, b: string): number => {
  let row = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

const unknown = (name: string, names: object): Error => {
  const near = Object.keys(names)
    .map((known) => ({ known, far: distance(name.toLowerCase(), known.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)[0];
  const hint =
    near !== undefined && near.far <= name.length / 2 ? ` Did you mean ${JSON.stringify(near.known)}?` : '';
  return refuse(`There is no option ${JSON.stringify(name)}.${hint}`);
};

/**
 * Checks options: a misspelled or empty filter would return more than was meant. `within` is what names them before a dot.
 * Errors: `configuration` for anything but an object, for unknown names, and for null.
 */
export const checkOptions = (options: unknown, names: object, within = ''): void => {
  if (typeof options !== 'object' || options === null) throw refuse('The options must be an object.');
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(names, name)) throw unknown(name, names);
    if (value === null)
      throw refuse(`The option ${JSON.stringify(within + name)} must not be null: leave it out.`);
  }
};

export const CONNECTION = {
  url: true,
  apiKey: true,
  allowInsecureHttp: true,
  timeoutMs: true,
  totalTimeoutMs: true,
  retries: true,
  fetch: true,
} as const;

export const CALL = { timeoutMs: true, signal: true, ttlMs: true, fresh: true } as const;
