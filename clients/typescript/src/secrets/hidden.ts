import type { SecretsResult } from '../wire.ts';

const HIDDEN = '[hidden]';

function names(this: object): Record<string, string> {
  return Object.fromEntries(Object.keys(this).map((name) => [name, HIDDEN]));
}

// Own properties would be secrets. The symbol is what console.log of Node.js, Bun and Deno asks for.
const PROTOTYPE = Object.create(Object.prototype, {
  toJSON: { value: names },
  [Symbol.for('nodejs.util.inspect.custom')]: { value: names },
});

/**
 * Secrets that show their names but not their values in `console.log`, `console.dir` and `JSON.stringify`. `{ ...secrets }`
 * is a plain object again.
 */
export const hideValues = (secrets: SecretsResult): Record<string, string> => {
  const values = { ...secrets };
  // Accessors: console.dir asks for no symbol, but runs no getter. Not by assignment: a secret may be called __proto__.
  const accessors = Object.keys(values).map((name) => {
    const set = (value: string) => Object.assign(values, { [name]: value });
    return [name, { get: () => values[name], set, enumerable: true, configurable: true }];
  });
  return Object.create(PROTOTYPE, Object.fromEntries(accessors));
};
