import type { ReplyOf } from '../../../contract/endpoint.ts';
import type { refusedShape } from '../../../contract/shapes/keys.ts';
import { daysAfter } from '../../core/days.ts';
import type { Table } from '../table.ts';
import { STREAMS } from './audit-list.ts';

/** Entries that are read at most: the newest of them. */
const MOST_ENTRIES = 2_000;

export type Refused = ReplyOf<typeof refusedShape>;

/**
 * The calls of known keys that were refused in the last days (of 24 hours) up to `now`, by key, reason and claim,
 * latest first.
 */
export const recentRefusals = async (table: Table, days: number, now: Date): Promise<Refused[]> => {
  const since = daysAfter(now, -days).toISOString();
  // The entry of this minute is sorted at its end.
  const before = `${now.toISOString().slice(0, 16)}~`;
  const groups = new Map<string, Refused>();
  let examined = 0;
  for await (const { entry } of STREAMS.refusal(table, since, before)) {
    if (entry === undefined) continue;
    if (entry.at < since || examined === MOST_ENTRIES) break;
    examined += 1;
    const { actorId, actor, at, details } = entry;
    const { reason, asked, claim } = details as Pick<Refused, 'reason' | 'asked' | 'claim'>;
    const group = `${actorId}#${reason}#${claim?.pointer} ${claim?.got}`;
    const known = groups.get(group) ?? {
      keyId: String(actorId),
      name: actor,
      reason,
      minutes: 0,
      lastAt: at,
      asked,
      claim,
    };
    groups.set(group, { ...known, minutes: known.minutes + 1 });
  }
  // Within a minute, entries are sorted by key.
  return [...groups.values()].sort((a, b) => (a.lastAt > b.lastAt ? -1 : 1));
};
