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

/** An API key that a change affects. */
export interface AffectedKey {
  readonly apiKeyId: string;
  readonly apiKeyName: string;
  /** What it asks for: labels and versions; `latest` for neither. */
  readonly asks: readonly string[];
  readonly fetches: number;
  readonly lastAt: string;
  /** Variables that it is known to send no value for. */
  readonly unsent: readonly string[];
  /** Variables that it is known to send a value for, and those of them that have no effect any more. */
  readonly sent: readonly string[];
  readonly unused: readonly string[];
  /** Whether it is unknown, at least in part, what it sends: it compiles on its own. */
  readonly isSendingUnknown: boolean;
  readonly verdict: Verdict;
  /** In a set, the prompts that it asks for. */
  readonly prompts?: readonly { readonly name: string; readonly verdict: Verdict }[];
}

/** Those whose API key still works, so that a change reaches them. */
export const working = (callers: readonly Caller[]): Caller[] => callers.filter(({ ended }) => !ended);

const askOf = ({ asked, label, version }: Caller): string =>
  asked === 'label' && label !== undefined ? label : asked === 'version' ? version : 'latest';

const distinct = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

const totalsOf = (rows: readonly Pick<AffectedKey, 'fetches' | 'lastAt'>[]) => ({
  fetches: rows.reduce((sum, { fetches }) => sum + fetches, 0),
  lastAt:
    rows
      .map(({ lastAt }) => lastAt)
      .sort()
      .at(-1) ?? '',
});

type Known = Pick<AffectedKey, 'unsent' | 'sent' | 'isSendingUnknown'>;

const verdictOn = (key: Known, change: BreakingChange): Verdict => {
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

const merged = (
  rows: readonly [Caller, ...Caller[]],
  needed: readonly string[],
  changes: readonly BreakingChange[],
): AffectedKey => {
  const [{ apiKeyId, apiKeyName }] = rows;
  const known = rows.flatMap(({ variables }) => (variables === undefined ? [] : [variables]));
  const sent = distinct(known);
  const found = {
    sent,
    unsent: needed.filter((name) => known.some((names) => !names.includes(name))),
    isSendingUnknown: rows.some(({ fetches, compiled, variables }) => compiled < fetches || !variables),
  };
  return {
    ...{ apiKeyId, apiKeyName, ...found },
    asks: [...new Set(rows.map(askOf))],
    ...totalsOf(rows),
    unused: changes.flatMap((one) =>
      one.kind === 'variable-removed' && sent.includes(one.name) ? [one.name] : [],
    ),
    verdict: worstOf(changes.map((change) => verdictOn(found, change))),
  };
};

const byHarm = (a: AffectedKey, b: AffectedKey): number =>
  WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict) || b.fetches - a.fetches;

/**
 * The API keys that a change affects: those that break first, then most fetches first.
 * @param needed the variables that callers must send after the change, and may not send yet
 * @param changes what can break them
 */
export const affectedKeys = (
  callers: readonly Caller[],
  scopes: readonly Scope[],
  needed: readonly string[] = [],
  changes: readonly BreakingChange[] = [],
): AffectedKey[] => {
  const within = callers.filter((caller) => scopes.some(isWithin(caller)));
  return [...Map.groupBy(within, ({ apiKeyId }) => apiKeyId).values()]
    .flatMap(([first, ...others]) => (first ? [merged([first, ...others], needed, changes)] : []))
    .sort(byHarm);
};

/** The variables that callers of a content must send a value for. */
export const neededBy = (content: Content): string[] =>
  variablesIn(content).filter((name) => isRequired(declared(content.variables, name)));

/** What callers get now and afterwards. */
export interface ContentChange {
  readonly before: Content;
  readonly after: Content;
}

/** The API keys that still work and that a change of a prompt affects, and what can break them. */
export const impactOf = (
  callers: readonly Caller[],
  scopes: readonly Scope[],
  change: ContentChange | undefined,
) => {
  const changes = change ? breakingChanges(change.before, change.after) : [];
  const needed = change ? neededBy(change.after) : [];
  return { changes, keys: affectedKeys(working(callers), scopes, needed, changes) };
};

/** An API key that asks for several prompts, once. */
export const acrossPrompts = (
  found: readonly { readonly name: string; readonly keys: readonly AffectedKey[] }[],
) =>
  [
    ...Map.groupBy(
      found.flatMap(({ name, keys }) => keys.map((key) => ({ name, key }))),
      ({ key }) => key.apiKeyId,
    ).values(),
  ]
    .flatMap(([first, ...others]): AffectedKey[] => {
      if (first === undefined) return [];
      const rows = [first, ...others];
      const keys = rows.map(({ key }) => key);
      return [
        {
          ...first.key,
          ...totalsOf(keys),
          unsent: distinct(keys.map(({ unsent }) => unsent)),
          unused: distinct(keys.map(({ unused }) => unused)),
          verdict: worstOf(keys.map(({ verdict }) => verdict)),
          prompts: rows.map(({ name, key }) => ({ name, verdict: key.verdict })),
        },
      ];
    })
    .sort(byHarm);

/** How many callers break, as the sentence that a dangerous button needs above it; undefined if none, as far as is known. */
export const harmOf = (keys: readonly AffectedKey[]): string | undefined => {
  const broken = keys.filter(({ verdict }) => verdict === 'breaks').length;
  return broken === 0 ? undefined : `This breaks ${broken} of ${keys.length} callers.`;
};
