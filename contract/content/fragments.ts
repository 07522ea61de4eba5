import { LIMITS } from '../limits.ts';
import type { Content, Variables } from './content.ts';
import { canonicalJson } from './hash.ts';
import { isPlaceholder, templatesOf } from './templates.ts';

/** Where a template includes a fragment: `{{> "name"}}`. Use only `matchAll` and `replace`, which leave no state in it. */
export const FRAGMENT = /\{\{>[ \t]*"([^"{}]+)"[ \t]*\}\}/g;

/** The name in an entry of `includes`; in files, an entry need not have a version. */
export const fragmentNameOf = (include: string): string => include.replace(/@\d+\.\d+\.\d+$/, '');

/** What a content includes: the served template of a text prompt, with its declarations. */
export interface Fragment {
  readonly prompt: string;
  readonly variables?: Variables | undefined;
}

/** Fragments by the names that a content declares. */
export type Fragments = ReadonlyMap<string, Fragment>;

/** A declared fragment that no template of the content includes. */
export const unusedInclude = (content: Content): string | undefined => {
  const named = templatesOf(content).flatMap((each) =>
    Array.from(each.matchAll(FRAGMENT), ([, name]) => name),
  );
  return content.includes?.find((include) => !named.includes(fragmentNameOf(include)));
};

const expand = (template: string, fragments: Fragments) =>
  template.replace(FRAGMENT, (marker, name: string) => fragments.get(name)?.prompt ?? marker);

/** UTF-16 code units of an expanded template; there are at least as many bytes. */
const expandedLength = (template: string, fragments: Fragments) =>
  Array.from(template.matchAll(FRAGMENT)).reduce(
    (sum, [marker, name = '']) => sum + (fragments.get(name)?.prompt.length ?? marker.length) - marker.length,
    template.length,
  );

/** The name of a variable that is declared twice, and differently. */
const conflictOf = (declarations: readonly Variables[]) => {
  const seen = new Map<string, string>();
  for (const [name, each] of declarations.flatMap((variables) => Object.entries(variables))) {
    const text = canonicalJson(each);
    if ((seen.get(name) ?? text) !== text) return name;
    seen.set(name, text);
  }
  return undefined;
};

const union = (declarations: readonly Variables[]): Variables =>
  Object.fromEntries(declarations.flatMap((variables) => Object.entries(variables)));

const expanded = (content: Content, fragments: Fragments, variables: Variables): Content => {
  const { includes: _, ...rest } = content;
  const common = { variables: Object.keys(variables).length === 0 ? undefined : variables };
  return rest.type === 'chat'
    ? {
        ...rest,
        ...common,
        messages: rest.messages.map((message) =>
          isPlaceholder(message) ? message : { ...message, content: expand(message.content, fragments) },
        ),
      }
    : { ...rest, ...common, prompt: expand(rest.prompt, fragments) };
};

/**
 * Replaces what a content includes, in a single pass: braces in a fragment are text that nothing expands again, and
 * without declared includes a content stays as it is. Its variables are then those of all its parts.
 * @param fragments - What each declared name stands for.
 * @returns The expansion, or one sentence why there is none.
 */
export const expandContent = (
  content: Content,
  fragments: Fragments,
): { readonly expansion: Content } | { readonly problem: string } => {
  const length = templatesOf(content).reduce((sum, each) => sum + expandedLength(each, fragments), 0);
  if (length > LIMITS.textBytes)
    return {
      problem: `With its fragments, the content has more than ${LIMITS.textBytes} bytes. Include fewer or shorter ones.`,
    };
  const declarations = [content, ...fragments.values()].map(({ variables = {} }) => variables);
  const conflict = conflictOf(declarations);
  return conflict === undefined
    ? { expansion: expanded(content, fragments, union(declarations)) }
    : {
        problem: `The variable "${conflict}" is declared differently in the content and its fragments. Make the declarations equal, or rename one of the variables.`,
      };
};
