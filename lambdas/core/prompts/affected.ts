import { type BreakingChange, breakingChanges } from '../../../contract/content/breaking.ts';
import type { Content } from '../../../contract/content/content.ts';
import { variablesIn } from '../../../contract/content/templates.ts';
import { declared, isRequired } from '../../../contract/content/variables.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { effectsGet } from '../../../contract/endpoints/usage.ts';
import { later } from '../days.ts';

/** What an API key fetched of a prompt, by what it asked for. */
export interface Caller {
  readonly apiKeyId: string;
  readonly apiKeyName: string;
  readonly asked: 'latest' | 'label' | 'version';
  readonly label?: string | undefined;
  /** The version that it received last. */
  readonly version: string;
  readonly fetches: number;
  readonly lastAt: string;
  /** How many of the fetches the service compiled. */
  readonly compiled: number;
  /** The names of the variables that each of these sent; absent if they are unknown. */
  readonly variables?: readonly string[] | undefined;
}

/** A change of what callers of a prompt get. */
export type PromptChange = InputOf<typeof effectsGet.body>['changes'][number];

const isConcerned =
  ({ latest = false, label, version }: Omit<PromptChange, 'promptId'>) =>
  (caller: Caller): boolean => {
    if (!latest && label === undefined && version === undefined) return true;
    if (caller.asked === 'latest') return latest;
    return caller.asked === 'label' ? caller.label === label : caller.version === version;
  };

const WORST_FIRST = ['breaks', 'unknown', 'works'] as const;

/** What changes do to a caller. `unknown` if what the service knows of its requests does not tell. */
type Verdict = (typeof WORST_FIRST)[number];

const worstOf = (verdicts: readonly (Verdict | undefined)[]): Verdict | undefined =>
  verdicts.includes(undefined) ? undefined : WORST_FIRST.find((each) => verdicts.includes(each));

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

/** What callers get after a change in place of what they get now, as far as there is either. */
export interface Meaning {
  readonly before?: Content | undefined;
  readonly after?: Content | undefined;
}

/** What of a change can break callers. */
export const breakingOf = ({ before, after }: Meaning): BreakingChange[] =>
  before && after ? breakingChanges(before, after) : [];

const neededBy = (content: Content) =>
  variablesIn(content).filter((name) => isRequired(declared(content.variables, name)));

/** A change of a prompt with this name, and who calls it. */
export interface Touched extends Meaning, Omit<PromptChange, 'promptId'> {
  readonly name: string;
  readonly callers: readonly Caller[];
}

/** What a change does to an API key that asks for the prompt, by the key's rows. */
const judgeOf = ({ name, before, after }: Touched) => {
  const changes = breakingOf({ before, after });
  const needed = before && after ? neededBy(after) : [];
  return (rows: readonly Caller[]) => {
    const known = rows.flatMap(({ variables }) => (variables === undefined ? [] : [variables]));
    const sent = [...new Set(known.flat())];
    const found = {
      sent,
      unsent: needed.filter((each) => known.some((names) => !names.includes(each))),
      isSendingUnknown: rows.some(({ fetches, compiled, variables }) => compiled < fetches || !variables),
    };
    return {
      name,
      rows,
      ...found,
      unused: changes.flatMap((one) =>
        one.kind === 'variable-removed' && sent.includes(one.name) ? [one.name] : [],
      ),
      verdict: before && after && worstOf(['works', ...changes.map((change) => verdictOn(found, change))]),
    };
  };
};

const askOf = ({ asked, label, version }: Caller) =>
  asked === 'label' && label !== undefined ? label : asked === 'version' ? version : 'latest';

const keyOf = (apiKeyId: string, prompts: readonly ReturnType<ReturnType<typeof judgeOf>>[]) => {
  const rows = prompts.flatMap((each) => each.rows);
  return {
    apiKeyId,
    apiKeyName: rows[0]?.apiKeyName ?? '',
    asks: [...new Set(rows.map(askOf))],
    fetches: rows.reduce((sum, { fetches }) => sum + fetches, 0),
    lastAt: rows.map((row) => row.lastAt).reduce(later, ''),
    unsent: [...new Set(prompts.flatMap(({ unsent }) => unsent))],
    unused: [...new Set(prompts.flatMap(({ unused }) => unused))],
    isSendingUnknown: prompts.some((each) => each.isSendingUnknown),
    verdict: worstOf(prompts.map(({ verdict }) => verdict)),
    prompts: prompts.map(({ name, verdict }) => ({ name, verdict })),
  };
};

/** The API keys that changes affect: those that break first, then most fetches first. */
export const affectedKeys = (touched: readonly Touched[]) => {
  const judged = touched.flatMap((change) => {
    const judge = judgeOf(change);
    return [...Map.groupBy(change.callers.filter(isConcerned(change)), ({ apiKeyId }) => apiKeyId)].map(
      ([id, rows]) => ({ id, prompt: judge(rows) }),
    );
  });
  const rank = ({ verdict = 'works' }: { verdict?: Verdict | undefined }) => WORST_FIRST.indexOf(verdict);
  return [...Map.groupBy(judged, ({ id }) => id)]
    .map(([id, own]) =>
      keyOf(
        id,
        own.map(({ prompt }) => prompt),
      ),
    )
    .sort((a, b) => rank(a) - rank(b) || b.fetches - a.fetches);
};
