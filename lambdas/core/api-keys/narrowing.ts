import { matchesPromptPatterns } from '../../../contract/fields/patterns.ts';
import { assertValid } from '../errors.ts';
import type { ApiKey } from './rules.ts';

type Limits = Pick<ApiKey, 'tags' | 'prompts' | 'labels' | 'expiresAt'>;

const isWithin = (patterns: readonly string[], pattern: string): boolean =>
  pattern.endsWith('*')
    ? patterns.some((wider) => wider.endsWith('*') && pattern.slice(0, -1).startsWith(wider.slice(0, -1)))
    : matchesPromptPatterns(patterns, pattern);

const quoted = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(', ');

const checkTags = (from: readonly string[], to: readonly string[]): void => {
  const lost = from.filter((tag) => !to.includes(tag));
  assertValid(
    lost.length === 0,
    `"tags" must still contain ${quoted(lost)}: without it, the key would read more secrets. To allow more, create another key.`,
  );
};

const checkPrompts = (from: readonly string[], to: readonly string[]): void => {
  if (from.length === 0) return;
  const added = to.filter((pattern) => !isWithin(from, pattern));
  assertValid(
    to.length > 0,
    `"prompts" must not be empty: the key would fetch every prompt. To allow more, create another key.`,
  );
  assertValid(
    added.length === 0,
    `"prompts" must not contain ${quoted(added)}: the key is limited to ${quoted(from)}. To allow more, create another key.`,
  );
};

const checkLabels = (from: readonly string[], to: readonly string[]): void => {
  const added = to.filter((label) => !from.includes(label));
  assertValid(
    added.length === 0,
    `"labels" must not contain ${quoted(added)}: the key may not move it now. To allow more, create another key.`,
  );
};

/**
 * Checks that a key with the limits `to` may do nothing that it may not do with `from`: it requires at least the same
 * tags, each of its prompts and labels was allowed, and it does not expire later. Errors: `invalid_request`.
 */
export const checkNarrower = (from: Limits, to: Limits): void => {
  checkTags(from.tags, to.tags);
  checkPrompts(from.prompts, to.prompts);
  checkLabels(from.labels ?? [], to.labels ?? []);
  const [ends, end] = [from.expiresAt, to.expiresAt].map((time) =>
    time === undefined ? Number.POSITIVE_INFINITY : Date.parse(time),
  ) as [number, number];
  assertValid(
    end <= ends,
    `"expiresAt" must not be after ${from.expiresAt}, when the key expires now. To extend access, create another key.`,
  );
};
