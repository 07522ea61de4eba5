import type { Content, Tool, VariableDeclaration, VariableType } from './content.ts';
import { canonicalJson, shortest } from './hash.ts';
import { isPlaceholder, variablesIn } from './templates.ts';
import { declared, isRequired } from './variables.ts';

/** A difference between two contents that can break applications which work with the first. */
export type BreakingChange =
  | { readonly kind: 'type-changed'; readonly from: 'text' | 'chat'; readonly to: 'text' | 'chat' }
  | {
      readonly kind:
        | 'variable-added'
        | 'variable-removed'
        | 'default-removed'
        | 'placeholder-required'
        | 'tool-added'
        | 'tool-removed'
        | 'tool-changed';
      readonly name: string;
    }
  | {
      readonly kind: 'variable-retyped';
      readonly name: string;
      readonly from: VariableType;
      readonly to: VariableType;
    }
  /** `removed` has the values that are no longer allowed; without it, any value was allowed. */
  | { readonly kind: 'enum-narrowed'; readonly name: string; readonly removed?: readonly unknown[] };

/** Callers of an undeclared variable must send a value, and most send text. */
const UNDECLARED: VariableDeclaration = { type: 'string' };

// A number accepts all that an integer accepts.
const isRetyped = (from: VariableType, to: VariableType) =>
  from !== to && !(from === 'integer' && to === 'number');

const missingFrom = (values: readonly unknown[], from: readonly unknown[]): unknown[] => {
  const texts = new Set(from.map(canonicalJson));
  return values.filter((value) => !texts.has(canonicalJson(value)));
};

const narrowed = (
  name: string,
  before: VariableDeclaration,
  after: VariableDeclaration,
): BreakingChange[] => {
  if (after.enum === undefined) return [];
  if (before.enum === undefined) return [{ kind: 'enum-narrowed', name }];
  const removed = missingFrom(before.enum, after.enum);
  return removed.length === 0 ? [] : [{ kind: 'enum-narrowed', name, removed }];
};

const declarationChanges = (
  name: string,
  before: VariableDeclaration,
  after: VariableDeclaration,
): BreakingChange[] => [
  ...(isRetyped(before.type, after.type)
    ? [{ kind: 'variable-retyped' as const, name, from: before.type, to: after.type }]
    : narrowed(name, before, after)),
  ...(!isRequired(before) && isRequired(after) ? [{ kind: 'default-removed' as const, name }] : []),
];

const variableChanges = (before: Content, after: Content): BreakingChange[] => {
  const old = new Set(variablesIn(before));
  const now = new Set(variablesIn(after));
  const added = [...now].filter((name) => !old.has(name) && isRequired(declared(after.variables, name)));
  const removed = [...old].filter((name) => !now.has(name));
  return [
    ...added.map((name) => ({ kind: 'variable-added' as const, name })),
    ...removed.map((name) => ({ kind: 'variable-removed' as const, name })),
    ...[...old]
      .filter((name) => now.has(name))
      .flatMap((name) =>
        declarationChanges(
          name,
          declared(before.variables, name) ?? UNDECLARED,
          declared(after.variables, name) ?? UNDECLARED,
        ),
      ),
  ];
};

const placeholderChanges = (before: Content, after: Content): BreakingChange[] => {
  const old = requiredPlaceholders(before);
  const added = requiredPlaceholders(after).filter((name) => !old.includes(name));
  return added.map((name) => ({ kind: 'placeholder-required', name }));
};

const toolsOf = ({ tools = [] }: Content): Map<string, Tool> =>
  new Map(tools.map((tool) => [tool.name, tool]));

const toolChanges = (before: Content, after: Content): BreakingChange[] => {
  const old = toolsOf(before);
  const now = toolsOf(after);
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name): BreakingChange[] => {
    const earlier = old.get(name);
    const later = now.get(name);
    if (earlier === undefined) return [{ kind: 'tool-added', name }];
    if (later === undefined) return [{ kind: 'tool-removed', name }];
    return canonicalJson(earlier) === canonicalJson(later) ? [] : [{ kind: 'tool-changed', name }];
  });
};

/** The distinct names of the lists of messages that applications must send for a content, in order. */
export const requiredPlaceholders = (content: Content): string[] => {
  const lists = content.type === 'chat' ? content.messages.filter(isPlaceholder) : [];
  return [...new Set(lists.filter(({ optional }) => optional !== true).map(({ name }) => name))];
};

/**
 * The differences that can break applications which work with `before`, once they get `after`. Both are complete: with
 * what their fragments expand to.
 */
export const breakingChanges = (before: Content, after: Content): BreakingChange[] => {
  const old = shortest(before);
  const now = shortest(after);
  const from = old.type ?? 'text';
  const to = now.type ?? 'text';
  return [
    ...(from === to ? [] : [{ kind: 'type-changed' as const, from, to }]),
    ...variableChanges(old, now),
    ...placeholderChanges(old, now),
    ...toolChanges(old, now),
  ];
};
