import { contentProblem } from '../../../../../contract/content/check.ts';
import type { Content } from '../../../../../contract/content/content.ts';
import {
  expandContent,
  FRAGMENT,
  type Fragment,
  fragmentNameOf,
} from '../../../../../contract/content/fragments.ts';
import { templatesOf } from '../../../../../contract/templates.ts';

/** The names of fragments that texts include, but the content does not declare: they are served as written. */
export const undeclaredIn = (content: Content): string[] => {
  const declared = (content.includes ?? []).map(fragmentNameOf);
  const named = templatesOf(content).flatMap((text) =>
    Array.from(text.matchAll(FRAGMENT), ([, name = '']) => name),
  );
  return [...new Set(named)].filter((name) => !declared.includes(name));
};

interface Found {
  /** What entries of `includes` stand for, or a sentence why they stand for nothing. */
  readonly fragments?: readonly (readonly [include: string, found: Fragment | string])[] | undefined;
  /** Whether this is about to change. */
  readonly isPending?: boolean;
  /** Why nothing can be found. */
  readonly failure?: string | undefined;
}

/** Puts fragments into a content. What has a problem stays as it is written. */
export const expansionOf = (written: Content, { fragments = [], isPending = false, failure }: Found = {}) => {
  const known = fragments.filter(([include]) => written.includes?.includes(include));
  const texts = new Map(
    known.flatMap(([include, each]) =>
      typeof each === 'string' ? [] : [[fragmentNameOf(include), each] as const],
    ),
  );
  const expanded = expandContent(written, texts);
  const missing = known.map(([, each]) => each).find((each) => typeof each === 'string');
  const problem = failure ?? missing ?? ('problem' in expanded ? expanded.problem : undefined);
  const content = 'problem' in expanded ? written : expanded.expansion;
  const isWhole = !isPending && written.includes?.length;
  return {
    /** As far as the fragments are known. */
    content,
    isPending,
    /** What is wrong with the fragments. */
    problem,
    /** The same once all fragments are known. */
    expanded: isPending || problem !== undefined ? undefined : content,
    /** Why the content cannot be published, as one sentence; undefined if it can, as far as its fragments are known. */
    refusal: problem ?? contentProblem(written, isWhole ? content : undefined),
  };
};

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 22;

/** The id of the prompt with a name, as the service derives it. */
export const promptIdOf = async (name: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name));
  let rest = new Uint8Array(hash).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (let i = 0; i < LENGTH; i += 1, rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return `prm_${text}`;
};
