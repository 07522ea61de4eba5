import canonicalize from 'canonicalize';
import { type Content, shortest } from './content.ts';

/** Canonical JSON (RFC 8785) of a content in its shortest form. */
export const canonicalContent = (content: Content): string => canonicalJson(shortest(content));

/** Canonical JSON (RFC 8785) of a JSON value: equal values have equal texts. */
export const canonicalJson = (value: unknown): string => canonicalize(value) ?? 'null';

/**
 * The hash that identifies a content: `sha256:` and the SHA-256, in hex, of its canonical JSON in UTF-8. It does not
 * depend on the name, version and note of what it is the content of.
 */
export const contentHash = async (content: Content): Promise<string> => {
  const bytes = new TextEncoder().encode(canonicalContent(content));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `sha256:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

// A number of this size or above has an exponent in canonical JSON, so nobody takes it for an exact integer.
const EXPONENT_FROM = 1e21;

/** Whether a number is an integer that a 64-bit float may have rounded. */
export const isRounded = (value: unknown): boolean =>
  typeof value === 'number' &&
  Number.isInteger(value) &&
  !Number.isSafeInteger(value) &&
  Math.abs(value) < EXPONENT_FROM;

/** The path to a number in a JSON value that `isRounded`, such as `config.seed`; undefined without one. */
export const roundedIn = (value: unknown, path = ''): string | undefined => {
  if (isRounded(value)) return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = roundedIn(inner, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`);
    if (found !== undefined) return found.replace(/^\./, '');
  }
  return undefined;
};
