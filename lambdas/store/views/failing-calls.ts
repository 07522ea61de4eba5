import type { ReplyTo } from '../../../contract/documentation.ts';
import { inTurns } from '../../../contract/limits.ts';
import { daysAfter } from '../../core/days.ts';
import { type ListedPrompt, labelled } from '../prompts/head.ts';
import type { Table } from '../table.ts';
import { type FailureCount, failuresSince } from '../usage/failure-counts.ts';

type FailingPrompts = ReplyTo<'overview-get'>['failingPrompts'];

/** Rows of one prompt, and prompts, in a reply. Of more candidates, some may have recovered. */
const MOST_ROWS = 100;
const MOST_PROMPTS = 20;
const CANDIDATE_PROMPTS = 60;

/** Since when failing calls are shown. */
export const shownSince = (now: Date): string => daysAfter(now, -1).toISOString();

/** The calls that would fail again, because what they ask for still leads to the same version or none; the last of each key first. */
const stillFailing = (
  head: ListedPrompt,
  counts: readonly FailureCount[],
): FailingPrompts[number]['failing'] => {
  const failing = counts
    .filter(({ lastAt, asked, label, version }) => {
      const now = label === undefined ? head.latest : labelled(head, label);
      return lastAt >= head.createdAt && (asked === 'version' || version === now);
    })
    .sort((a, b) => (a.lastAt > b.lastAt ? -1 : 1));
  return inTurns(failing, ({ apiKeyId }) => apiKeyId)
    .slice(0, MOST_ROWS)
    .map(({ promptId: _, hour: __, asked: ___, ...shown }) => shown);
};

/** Returns how many calls for a prompt, at least, would fail again. */
export const countFailing = (counts: readonly FailureCount[]) => {
  const own = Map.groupBy(counts, ({ promptId }) => promptId);
  return (prompt: ListedPrompt): number =>
    stillFailing(prompt, own.get(prompt.promptId) ?? []).reduce((sum, { calls }) => sum + calls, 0);
};

/** The failing calls of a prompt within the last 24 hours up to `now`. */
export const failingCalls = async (table: Table, head: ListedPrompt, now: Date) =>
  stillFailing(head, await failuresSince(table, shownSince(now), head.promptId));

/** Failing calls by prompt, latest hour first, of one key after the other: none hides those of another. */
export const byPrompt = (counts: readonly FailureCount[]): ReadonlyMap<string, readonly FailureCount[]> =>
  new Map(
    [
      ...Map.groupBy(
        inTurns(counts, ({ apiKeyId }) => apiKeyId),
        ({ promptId }) => promptId,
      ),
    ].slice(0, CANDIDATE_PROMPTS),
  );

/** Those of them that would fail again, of these prompts. */
export const failingPrompts = (
  counts: ReturnType<typeof byPrompt>,
  prompts: ReadonlyMap<string, ListedPrompt>,
): FailingPrompts =>
  [...counts]
    .flatMap(([promptId, own]) => {
      const prompt = prompts.get(promptId);
      return prompt ? [{ promptId, name: prompt.name, failing: stillFailing(prompt, own) }] : [];
    })
    .filter(({ failing }) => failing.length > 0)
    .slice(0, MOST_PROMPTS);
