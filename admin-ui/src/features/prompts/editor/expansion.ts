import { contentProblem } from '../../../../../contract/content/check.ts';
import type { Content } from '../../../../../contract/content/content.ts';
import {
  expandContent,
  FRAGMENT,
  type Fragment,
  fragmentNameOf,
} from '../../../../../contract/content/fragments.ts';
import { templatesOf } from '../../../../../contract/templates.ts';

/** An entry of `includes` with what it stands for, or why it stands for nothing. */
export interface FoundFragment {
  readonly include: string;
  readonly name: string;
  readonly fragment?: Fragment;
  readonly problem?: string;
}

/** A content with its fragments in place. */
export interface Expansion {
  /** As far as the fragments are known. */
  readonly content: Content;
  readonly problem?: string | undefined;
  readonly isPending: boolean;
}

/** The names of fragments that texts include, but the content does not declare: they are served as written. */
export const undeclaredIn = (content: Content): string[] => {
  const declared = (content.includes ?? []).map(fragmentNameOf);
  const named = templatesOf(content).flatMap((text) =>
    Array.from(text.matchAll(FRAGMENT), ([, name = '']) => name),
  );
  return [...new Set(named)].filter((name) => !declared.includes(name));
};

/** Puts fragments into a content. What has a problem stays as it is written. */
export const expansionOf = (
  content: Content,
  found: readonly FoundFragment[],
): Omit<Expansion, 'isPending'> => {
  const known = found.filter(({ include }) => content.includes?.includes(include));
  const fragments = new Map(known.flatMap(({ name, fragment }) => (fragment ? [[name, fragment]] : [])));
  const expanded = expandContent(content, fragments);
  const problem = known.find((each) => each.problem !== undefined)?.problem;
  if ('problem' in expanded) return { content, problem: problem ?? expanded.problem };
  return { content: expanded.expansion, problem };
};

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 22;

/** A content with its fragments in place; undefined as long as they are not known. */
export const expandedOf = ({ content, isPending, problem }: Expansion): Content | undefined =>
  isPending || problem !== undefined ? undefined : content;

/** Why a content cannot be published, as one sentence; undefined if it can, as far as its fragments are known. */
export const expandedProblem = (content: Content, expansion: Expansion): string | undefined =>
  expansion.problem ??
  contentProblem(content, expansion.isPending || !content.includes?.length ? undefined : expansion.content);

/** The id of the prompt with a name, as the service derives it. */
export const promptIdOf = async (name: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name));
  let rest = new Uint8Array(hash).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (let i = 0; i < LENGTH; i += 1, rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return `prm_${text}`;
};
