import { type BreakingChange, breakingChanges } from '../../../../../contract/content/breaking.ts';
import type { Content } from '../../../../../contract/content/content.ts';
import { declared, isRequired } from '../../../../../contract/content/variables.ts';
import type { ResultOf } from '../../../../../contract/documentation.ts';
import { variablesIn } from '../../../../../contract/templates.ts';

export type Callers = ResultOf<'callers-list'>;
export type Caller = Callers['callers'][number];

/** What a change touches: the callers that follow the latest version or a label, ask for a version, or all. */
export type Scope =
  | { readonly kind: 'latest' }
  | { readonly kind: 'prompt' }
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'version'; readonly version: string };

const isWithin =
  ({ asked, label, version }: Caller) =>
  (scope: Scope): boolean => {
    if (scope.kind === 'prompt') return true;
    if (scope.kind === 'latest') return asked === 'latest';
    if (scope.kind === 'label') return asked === 'label' && label === scope.label;
    return asked === 'version' && version === scope.version;
  };

/** What changes do to a caller. `unknown` if what the service knows of its requests does not tell. */
export type Verdict = 'breaks' | 'unknown' | 'works';

const WORST_FIRST: readonly Verdict[] = ['breaks', 'unknown', 'works'];

/** A change of what callers of a prompt get. */
export interface Touched {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The variables that callers must send after the change, and may not send yet. */
  readonly needed?: readonly string[];
  /** What can break them. */
  readonly changes?: readonly BreakingChange[];
}

const askOf = ({ asked, label, version }: Caller): string =>
  asked === 'label' && label !== undefined ? label : asked === 'version' ? version : 'latest';

type SentVariables = Record<'sent' | 'unsent', readonly string[]> & { readonly isSendingUnknown: boolean };

const verdictOn = (key: SentVariables, change: BreakingChange): Verdict => {
  switch (change.kind) {
    case 'type-changed':
      return 'breaks';
    case 'variable-added':
    case 'default-removed':
      if (key.unsent.includes(change.name)) return 'breaks';
      return key.isSendingUnknown ? 'unknown' : 'works';
    case 'variable-removed':
    case 'variable-retyped':
    case 'enum-narrowed':
      return key.isSendingUnknown || key.sent.includes(change.name) ? 'unknown' : 'works';
    default:
      return 'unknown';
  }
};

const worstOf = (verdicts: readonly Verdict[]): Verdict =>
  WORST_FIRST.find((each) => verdicts.includes(each)) ?? 'works';

/** What a change does to an API key that asks for the prompt. */
const judge = (rows: readonly Caller[], { name, needed = [], changes = [] }: Touched) => {
  const known = rows.flatMap(({ variables }) => (variables === undefined ? [] : [variables]));
  const sent = [...new Set(known.flat())];
  const found = {
    sent,
    /** Variables that it is known to send no value for. */
    unsent: needed.filter((each) => known.some((names) => !names.includes(each))),
    /** Whether it is unknown, at least in part, what it sends: it compiles on its own. */
    isSendingUnknown: rows.some(({ fetches, compiled, variables }) => compiled < fetches || !variables),
  };
  return {
    name,
    rows,
    ...found,
    /** Variables that it is known to send a value for, without effect after the change. */
    unused: changes.flatMap((one) =>
      one.kind === 'variable-removed' && sent.includes(one.name) ? [one.name] : [],
    ),
    verdict: worstOf(changes.map((change) => verdictOn(found, change))),
  };
};

/** What changes do to an API key. */
const keyOf = (prompts: readonly ReturnType<typeof judge>[]) => {
  const rows = prompts.flatMap((each) => each.rows);
  return {
    apiKeyId: rows[0]?.apiKeyId ?? '',
    apiKeyName: rows[0]?.apiKeyName ?? '',
    /** What it asks for: labels and versions; `latest` for neither. */
    asks: [...new Set(rows.map(askOf))],
    fetches: rows.reduce((sum, { fetches }) => sum + fetches, 0),
    lastAt:
      rows
        .map((row) => row.lastAt)
        .sort()
        .at(-1) ?? '',
    unsent: [...new Set(prompts.flatMap(({ unsent }) => unsent))],
    unused: [...new Set(prompts.flatMap(({ unused }) => unused))],
    isSendingUnknown: prompts.some((each) => each.isSendingUnknown),
    verdict: worstOf(prompts.map(({ verdict }) => verdict)),
    prompts: prompts.map(({ name, verdict }) => ({ name, verdict })),
  };
};

export type AffectedKey = ReturnType<typeof keyOf>;

/** The API keys that still work and that changes affect: those that break first, then most fetches first. */
export const affectedKeys = (
  touched: readonly (Touched & { readonly callers: readonly Caller[] })[],
): AffectedKey[] => {
  const judged = touched.flatMap(({ callers, ...change }) => {
    const within = callers.filter((caller) => !caller.ended && change.scopes.some(isWithin(caller)));
    return [...Map.groupBy(within, ({ apiKeyId }) => apiKeyId)].map(([id, rows]) => ({
      id,
      prompt: judge(rows, change),
    }));
  });
  return [...Map.groupBy(judged, ({ id }) => id).values()]
    .map((own) => keyOf(own.map(({ prompt }) => prompt)))
    .sort((a, b) => WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict) || b.fetches - a.fetches);
};

/** The variables that callers of a content must send a value for. */
export const neededBy = (content: Content): string[] =>
  variablesIn(content).filter((name) => isRequired(declared(content.variables, name)));

/** What it means for callers that they get `after` in place of `before`; nothing as long as that is not known. */
export const meaningOf = (
  change?: Record<'before' | 'after', Content>,
): Pick<Touched, 'needed' | 'changes'> =>
  change ? { needed: neededBy(change.after), changes: breakingChanges(change.before, change.after) } : {};

/** How many callers break, as the sentence that a dangerous button needs above it; undefined if none, as far as is known. */
export const harmOf = (keys: readonly AffectedKey[]): string | undefined => {
  const broken = keys.filter(({ verdict }) => verdict === 'breaks').length;
  return broken === 0 ? undefined : `This breaks ${broken} of ${keys.length} callers.`;
};
