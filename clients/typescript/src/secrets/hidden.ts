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
 * Secrets that show their names but not their values in `console.log` and `JSON.stringify`. `{ ...secrets }` is a plain
 * object again.
 */
export const hideValues = (secrets: SecretsResult): Record<string, string> =>
  // Not by assignment: a secret may be called __proto__.
  Object.create(PROTOTYPE, Object.getOwnPropertyDescriptors(secrets));
