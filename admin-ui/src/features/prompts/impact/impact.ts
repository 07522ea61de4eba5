import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
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

/** An API key that a change affects. */
export interface AffectedKey {
  readonly apiKeyId: string;
  readonly apiKeyName: string;
  /** What it asks for: labels and versions; `latest` for neither. */
  readonly asks: readonly string[];
  readonly fetches: number;
  /** Empty if unknown. */
  readonly lastAt: string;
  /** Variables that it is known to send no value for. */
  readonly unsent: readonly string[];
  /** Variables that it is known to send a value for. */
  readonly sent: readonly string[];
  /** Whether it is unknown, at least in part, what it sends: it compiles on its own. */
  readonly isSendingUnknown: boolean;
}

/** Those whose API key still works, so that a change reaches them. */
export const working = (callers: readonly Caller[]): Caller[] => callers.filter(({ ended }) => !ended);

const askOf = ({ asked, label, version }: Caller): string =>
  asked === 'label' && label !== undefined ? label : asked === 'version' ? version : 'latest';

const merged = (rows: readonly Caller[], needed: readonly string[]): AffectedKey[] => {
  const [first] = rows;
  if (first === undefined) return [];
  const known = rows.flatMap(({ variables }) => (variables === undefined ? [] : [variables]));
  return [
    {
      apiKeyId: first.apiKeyId,
      apiKeyName: first.apiKeyName,
      asks: [...new Set(rows.map(askOf))],
      fetches: rows.reduce((sum, { fetches }) => sum + fetches, 0),
      lastAt:
        rows
          .map(({ lastAt }) => lastAt)
          .toSorted()
          .at(-1) ?? '',
      sent: [...new Set(known.flat())],
      unsent: needed.filter((name) => known.some((sent) => !sent.includes(name))),
      isSendingUnknown: rows.some(({ fetches, compiled, variables }) => compiled < fetches || !variables),
    },
  ];
};

/**
 * The API keys that a change affects, most fetches first.
 * @param needed the variables that callers must send after the change, and may not send yet
 */
export const affectedKeys = (
  callers: readonly Caller[],
  scopes: readonly Scope[],
  needed: readonly string[],
): AffectedKey[] => {
  const within = callers.filter((caller) => scopes.some(isWithin(caller)));
  return [...Map.groupBy(within, ({ apiKeyId }) => apiKeyId).values()]
    .flatMap((rows) => merged(rows, needed))
    .sort((a, b) => b.fetches - a.fetches);
};

/** The variables that callers of a content must send a value for. */
export const neededBy = (content: Content): string[] =>
  variablesIn(content).filter((name) => isRequired(declared(content.variables, name)));

/** What changes do to a caller. `unknown` if what the service knows of its requests does not tell. */
export type Verdict = 'breaks' | 'unknown' | 'works';

const verdictOn = (key: AffectedKey, change: BreakingChange): Verdict => {
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

/** What changes do to a caller, at worst. */
export const verdictOf = (key: AffectedKey, changes: readonly BreakingChange[]): Verdict => {
  const verdicts = changes.map((change) => verdictOn(key, change));
  return (['breaks', 'unknown'] as const).find((each) => verdicts.includes(each)) ?? 'works';
};
