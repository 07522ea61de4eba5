import { refuse } from './settings.ts';

/** The names of all options of a function. */
export type Names<Options> = { readonly [name in keyof Options]-?: true };

const unknown = (name: string, names: object): Error =>
  refuse(`There is no option ${JSON.stringify(name)}. The options are ${Object.keys(names).join(', ')}.`);

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
