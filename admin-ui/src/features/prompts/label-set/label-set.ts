import type { BreakingChange } from '../../../../../contract/content/breaking.ts';
import { compareVersions } from '../../../../../contract/versions.ts';
import { affectedKeys, type Caller, type Verdict, verdictOf, working } from '../impact/impact.ts';

/** What a set does: in each of its prompts, `target` gets the version of `source`. */
export interface Rule {
  /** A label, or `latest` for the latest version. */
  readonly source: string;
  readonly target: string;
}

/** Moves a label of a prompt; null: the prompt does not have it. */
export interface LabelMove {
  readonly promptId: string;
  readonly name: string;
  readonly label: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** The fields of a prompt that the rules depend on. */
export interface LabelledPrompt {
  readonly promptId: string;
  readonly name: string;
  readonly latest: string;
  readonly labels: readonly { readonly label: string; readonly version: string }[];
}

/** The source that is no label: no label can have this name. */
export const LATEST = 'latest';

const servedBy = ({ latest, labels }: LabelledPrompt, label: string): string | null =>
  label === LATEST ? latest : (labels.find((entry) => entry.label === label)?.version ?? null);

/** The moves of a rule: only of prompts that have the source, and whose target is elsewhere. */
export const movesOf = (prompts: readonly LabelledPrompt[], { source, target }: Rule): LabelMove[] =>
  prompts.flatMap((prompt) => {
    const [from, to] = [servedBy(prompt, target), servedBy(prompt, source)];
    const { promptId, name } = prompt;
    return to === null || to === from ? [] : [{ promptId, name, label: target, from, to }];
  });

/** What the operator has changed in a preview, by the id of the prompt. */
export interface Edits {
  /** Prompts whose label moves. */
  readonly moved: readonly string[];
  /** Versions chosen instead of the proposed ones. */
  readonly chosen: Readonly<Record<string, string>>;
}

export const NO_EDITS: Edits = { moved: [], chosen: {} };

/** The moves with the chosen versions, without those to a version that the label already serves. */
export const withChosen = (moves: readonly LabelMove[], { chosen }: Edits): LabelMove[] =>
  moves
    .map((move) => ({ ...move, to: chosen[move.promptId] ?? move.to }))
    .filter(({ from, to }) => from !== to);

/** What a move does to its label: sets it where it never was, or moves it to a higher or lower version. */
export type MoveKind = 'up' | 'down' | 'new';

export const kindOf = ({ from, to }: LabelMove): MoveKind =>
  from === null ? 'new' : to !== null && compareVersions(to, from) < 0 ? 'down' : 'up';

export const undoing = (moves: readonly LabelMove[]): LabelMove[] =>
  moves.map((move) => ({ ...move, from: move.to, to: move.from }));

const serves = (label: string, version: string | null): string => {
  if (label === LATEST) return `the latest version is ${version}`;
  return version === null ? `${label} is not set` : `${label} serves ${version}`;
};

/**
 * What has changed in the prompts of a set since it was composed, one sentence each.
 * @param source where the versions came from that were not chosen; undefined if from nowhere else
 */
export const changedSince = (
  moves: readonly LabelMove[],
  now: readonly LabelledPrompt[],
  source?: string,
  { chosen }: Edits = NO_EDITS,
): string[] =>
  moves.flatMap(({ promptId, name, label, from, to }) => {
    const prompt = now.find((each) => each.promptId === promptId);
    if (prompt === undefined) return [`${name} is deleted.`];
    const [target, offer] = [servedBy(prompt, label), source && servedBy(prompt, source)];
    const isOffered = source === undefined || offer === to || promptId in chosen;
    return [
      ...(target === from ? [] : [`${name}: ${serves(label, target)} now, before: ${from ?? 'not set'}.`]),
      ...(isOffered ? [] : [`${name}: ${serves(source, offer ?? null)} now, before: ${to}.`]),
    ];
  });

/** A move with the API keys that ask for its label, and what can break them. */
export interface JudgedMove {
  readonly move: LabelMove;
  readonly callers: readonly Caller[];
  readonly changes: readonly BreakingChange[];
}

/** An API key that a set affects. */
export interface SetCaller {
  readonly apiKeyId: string;
  readonly apiKeyName: string;
  readonly fetches: number;
  /** At worst. */
  readonly verdict: Verdict;
  readonly prompts: readonly {
    readonly promptId: string;
    readonly name: string;
    readonly verdict: Verdict;
  }[];
}

const SEVERITY: readonly Verdict[] = ['breaks', 'unknown', 'works'];

const worstOf = (verdicts: readonly Verdict[]): Verdict =>
  SEVERITY.find((each) => verdicts.includes(each)) ?? 'works';

const keysOf = ({ move, callers, changes }: JudgedMove) => {
  const needed = changes.flatMap((change) =>
    change.kind === 'variable-added' || change.kind === 'default-removed' ? [change.name] : [],
  );
  return affectedKeys(working(callers), [{ kind: 'label', label: move.label }], needed).map((key) => ({
    key,
    prompt: { promptId: move.promptId, name: move.name, verdict: verdictOf(key, changes) },
  }));
};

/** The API keys that a set affects: those that break first, then most fetches first. */
export const callersOfSet = (moves: readonly JudgedMove[]): SetCaller[] =>
  [...Map.groupBy(moves.flatMap(keysOf), ({ key }) => key.apiKeyId)]
    .map(([apiKeyId, rows]) => ({
      apiKeyId,
      apiKeyName: rows[0]?.key.apiKeyName ?? '',
      fetches: rows.reduce((sum, { key }) => sum + key.fetches, 0),
      verdict: worstOf(rows.map(({ prompt }) => prompt.verdict)),
      prompts: rows.map(({ prompt }) => prompt),
    }))
    .sort((a, b) => SEVERITY.indexOf(a.verdict) - SEVERITY.indexOf(b.verdict) || b.fetches - a.fetches);
