import type { ReplyOf } from '../../../contract/endpoint.ts';
import type { RefusalReason } from '../../../contract/http/errors.ts';
import type { refusedShape } from '../../../contract/shapes/keys.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import type { RefusedClaim } from '../../core/api-keys/rules.ts';
import { DAY_MS, monthOf } from '../../core/days.ts';
import { monthBefore } from '../../core/lists/day-ranges.ts';
import { entriesBefore } from '../audit-log.ts';
import type { Table } from '../table.ts';

/** Entries that are read at most: the newest of them. */
const MOST_ENTRIES = 2_000;

export type Refused = ReplyOf<typeof refusedShape>;

const newest = async (table: Table, days: number, now: Date) => {
  const since = new Date(now.getTime() - days * DAY_MS);
  const items = [];
  // The entry of this minute is sorted at its end.
  const before = `${now.toISOString().slice(0, 16)}~`;
  for (let month = monthOf(now); month >= monthOf(since); month = monthBefore(month)) {
    for await (const item of entriesBefore(table, PARTITIONS.auditRefusal + month, before)) {
      if (String(item.at) < since.toISOString() || items.length === MOST_ENTRIES) return items;
      items.push(item);
    }
  }
  return items;
};

/**
 * The calls of known keys that were refused in the last days (of 24 hours) up to `now`, by key, reason and claim,
 * latest first.
 */
export const recentRefusals = async (table: Table, days: number, now: Date): Promise<Refused[]> => {
  const groups = new Map<string, Refused>();
  for (const { apiKeyId, apiKeyName, reason, at, asked, claim } of await newest(table, days, now)) {
    const refused = claim as RefusedClaim | undefined;
    const group = `${apiKeyId}#${reason}#${refused?.pointer} ${refused?.got}`;
    const known = groups.get(group) ?? {
      keyId: String(apiKeyId),
      name: String(apiKeyName),
      reason: reason as RefusalReason,
      minutes: 0,
      lastAt: String(at),
      ...(asked === undefined ? {} : { asked: String(asked) }),
      claim: refused,
    };
    groups.set(group, { ...known, minutes: known.minutes + 1 });
  }
  // Within a minute, entries are sorted by key.
  return [...groups.values()].sort((a, b) => (a.lastAt > b.lastAt ? -1 : 1));
};
