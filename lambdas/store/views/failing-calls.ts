import type { ReplyTo } from '../../../contract/documentation.ts';
import { daysAfter } from '../../core/days.ts';
import { isLive, labelled, type PromptHead } from '../prompts/head.ts';
import { readHeads } from '../prompts/lookups.ts';
import type { Table } from '../table.ts';
import { type FailureCount, failuresSince } from '../usage/failure-counts.ts';

type FailingPrompts = ReplyTo<'overview-get'>['failingPrompts'];

/** Rows of one prompt, and prompts, in a reply. Of more candidates, some may have recovered. */
const ROWS = 100;
const PROMPTS = 20;
const CANDIDATES = 60;

const dayBefore = (now: Date): string => daysAfter(now, -1).toISOString();

/** The calls that would fail again, because what they ask for still leads to the same version or none; the last first. */
const stillFailing = (head: PromptHead, counts: readonly FailureCount[]): FailingPrompts[number]['failing'] =>
  counts
    .filter(({ lastAt, asked, label, version }) => {
      const now = label === undefined ? head.latest : labelled(head, label);
      return lastAt >= head.createdAt && (asked === 'version' || version === now);
    })
    .sort((a, b) => (a.lastAt > b.lastAt ? -1 : 1))
    .slice(0, ROWS)
    .map(({ promptId: _, hour: __, asked: ___, ...failing }) => failing);

/** The failing calls of a prompt within the last 24 hours up to `now`. Errors: `unavailable`. */
export const failingCalls = async (table: Table, head: PromptHead, now: Date) =>
  stillFailing(head, await failuresSince(table, dayBefore(now), head.promptId));

/** The prompts with failing calls within the last 24 hours up to `now`, latest hour first. Errors: `unavailable`. */
export const failingPrompts = async (table: Table, now: Date): Promise<FailingPrompts> => {
  const counts = await failuresSince(table, dayBefore(now));
  const byPrompt = new Map([...Map.groupBy(counts, ({ promptId }) => promptId)].slice(0, CANDIDATES));
  const heads = await readHeads(table, [...byPrompt.keys()]);
  return [...byPrompt]
    .flatMap(([promptId, own]) => {
      const head = heads.get(promptId);
      return isLive(head) ? [{ promptId, name: head.name, failing: stillFailing(head, own) }] : [];
    })
    .filter(({ failing }) => failing.length > 0)
    .slice(0, PROMPTS);
};
