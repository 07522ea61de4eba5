import canonicalize from 'canonicalize';
import type { Content, Variables } from './content.ts';

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Names of fields with the values that mean the same as their absence. */
type Defaults = Readonly<Record<string, (value: unknown) => boolean>>;

const isBlank = (value: unknown) => value === '';

const OF_CONTENT: Defaults = {
  type: (value) => value === 'text',
  variables: isEmpty,
  config: isEmpty,
  output: isEmpty,
  tools: isEmpty,
  includes: isEmpty,
  tags: isEmpty,
  metaProperties: isEmpty,
};
const OF_PLACEHOLDER: Defaults = { optional: (value) => value === false };
const OF_DECLARATION: Defaults = { description: isBlank };
const OF_TOOL: Defaults = { description: isBlank, inputSchema: isEmpty };

const without = <T extends object>(value: T, defaults: Defaults): T =>
  Object.fromEntries(
    Object.entries(value).filter(([name, each]) => each !== undefined && defaults[name]?.(each) !== true),
  ) as T;

const mapped = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).map(([name, each]) => [name, without(each, OF_DECLARATION)]));

/**
 * The content in its shortest form: without the fields that have their default value, and with each tag once, sorted by
 * UTF-16 code units. Contents that mean the same have the same shortest form.
 */
export const shortest = (content: Content): Content => {
  const { variables = {}, tools = [], tags = [] } = content;
  const common = {
    variables: mapped(variables),
    tools: tools.map((tool) => without(tool, OF_TOOL)),
    tags: [...new Set(tags)].sort(),
  };
  return without(
    content.type === 'chat'
      ? { ...content, ...common, messages: content.messages.map((each) => without(each, OF_PLACEHOLDER)) }
      : { ...content, ...common },
    OF_CONTENT,
  );
};

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

/** The path to the first such value in a JSON value, or to the object with such a name, as `config.seed`; undefined without one. */
export const pathTo = (
  isSought: (value: unknown) => boolean,
  value: unknown,
  path = '',
): string | undefined => {
  if (isSought(value)) return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (isSought(name)) return path;
    const found = pathTo(isSought, inner, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`);
    if (found !== undefined) return found.replace(/^\./, '');
  }
  return undefined;
};
