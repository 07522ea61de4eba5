import type * as z from 'zod/mini';
import type { callersList } from '../../../../../contract/endpoints/usage/callers-list.ts';

export type Callers = z.output<typeof callersList.reply>;
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
  readonly lastAt: string;
  /** New variables that it is known to send no value for. */
  readonly unsent: readonly string[];
  /** Whether it is unknown, at least in part, what it sends: it compiles on its own. */
  readonly isSendingUnknown: boolean;
}

const askOf = ({ asked, label, version }: Caller): string =>
  asked === 'label' && label !== undefined ? label : asked === 'version' ? version : 'latest';

const merged = (rows: readonly Caller[], added: readonly string[]): AffectedKey[] => {
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
      unsent: added.filter((name) => known.some((sent) => !sent.includes(name))),
      isSendingUnknown: rows.some(({ fetches, compiled, variables }) => compiled < fetches || !variables),
    },
  ];
};

/**
 * The API keys that a change affects, most fetches first.
 * @param added the variables that the change adds, which callers may not send yet
 */
export const affectedKeys = (
  callers: readonly Caller[],
  scopes: readonly Scope[],
  added: readonly string[],
): AffectedKey[] => {
  const within = callers.filter((caller) => scopes.some(isWithin(caller)));
  return [...Map.groupBy(within, ({ apiKeyId }) => apiKeyId).values()]
    .flatMap((rows) => merged(rows, added))
    .sort((a, b) => b.fetches - a.fetches);
};
