import { refuse } from './settings.ts';

/** The names of all options of a function. */
export type Names<Options> = { readonly [name in keyof Options]-?: true };

/** How many letters must change to get from one word to the other (Levenshtein). */
const distance = (a: string, b: string): number => {
  let row = [...Array(b.length + 1).keys()];
  for (const letter of a) {
    let [corner = 0] = row;
    let last = corner + 1;
    row = row.map((above, j) => {
      if (j > 0) last = Math.min(corner + (letter === b[j - 1] ? 0 : 1), above + 1, last + 1);
      corner = above;
      return last;
    });
  }
  return row.at(-1) ?? 0;
};

const unknown = (name: string, names: object): Error => {
  const far = (known: string) => distance(name.toLowerCase(), known.toLowerCase());
  const [near = ''] = Object.keys(names).sort((a, b) => far(a) - far(b));
  const hint = far(near) <= name.length / 2 ? ` Did you mean ${JSON.stringify(near)}?` : '';
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
