import type { InputOf } from '../../../contract/endpoint.ts';
import type { auditList } from '../../../contract/endpoints/service.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { merged } from '../../core/batches.ts';
import { later, monthIn } from '../../core/days.ts';
import { dayBefore, monthBefore } from '../../core/lists/day-ranges.ts';
import {
  createPageRoom,
  decodeEntryCursor,
  encodeCursor,
  holds,
  type Paging,
} from '../../core/lists/lists.ts';
import { entriesBefore, readShardsOf } from '../audit-log.ts';
import type { Item, Table } from '../table.ts';
import { type AuditEntry, fromChange, fromRead, fromRefusal, READ_ACTION } from './audit-entries.ts';
import { type AuditSubjects, createAuditSubjects } from './audit-subjects.ts';

/** A page ends after this many read entries, even if it is not full; its cursor continues. */
const EXAMINED_ENTRIES = 2_000;

/** Drafts are saved at every pause in typing. */
const DRAFTS = ['draft.save', 'draft.delete'];

/** An entry, or only a position: all entries that follow in the stream are older. */
interface Step {
  readonly entryId: string;
  readonly entry?: AuditEntry;
}

/** Steps, newest first. A position lets the reader decide whether the stream needs to read on. */
type Stream = AsyncGenerator<Step>;

/** All entries of a day or month are before this position. */
const endOf = (dayOrMonth: string): Step => ({ entryId: `${dayOrMonth}~` });

const newestFirst = (a: Step, b: Step) => (a.entryId < b.entryId ? 1 : -1);

const byMonth = (partitionsOf: typeof readShardsOf, read: (item: Item) => AuditEntry) =>
  async function* (table: Table, from: string, before: string): Stream {
    const entriesIn = async function* (pk: string): Stream {
      for await (const item of entriesBefore(table, pk, before)) {
        const entry = read(item);
        yield { entryId: entry.entryId, entry };
      }
    };
    const last = monthIn(before);
    for (let month = last; month >= monthIn(from); month = monthBefore(month)) {
      if (month !== last) yield endOf(month);
      yield* merged((await partitionsOf(table, month)).map(entriesIn), newestFirst);
    }
  };

/** All entries of a kind, newest first, from the month of a time on and before a sort key. */
export const STREAMS = {
  change: byMonth(async (_, month) => [PARTITIONS.auditChange + month], fromChange),
  // Reads are spread over shards.
  read: byMonth(readShardsOf, fromRead),
  refusal: byMonth(async (_, month) => [PARTITIONS.auditRefusal + month], fromRefusal),
};

type Query = InputOf<typeof auditList.query>;

/** The filter: days or times (UTC, both included) and further conditions. */
export interface AuditListing
  extends Paging,
    Partial<Pick<Query, 'kind' | 'action' | 'drafts' | 'actor' | 'subject'>> {
  readonly from: string;
  readonly to: string;
  /** First day with reads; those of earlier days have expired. @default - `from` */
  readonly readsFrom?: string | undefined;
}

/** A publish can move a label in the same transaction, and then has one entry for both. */
const actionsOf = ({ action, details }: AuditEntry) =>
  details.label !== undefined && ['version.publish', 'prompt.create'].includes(action)
    ? [action, 'label.set']
    : [action];

/** Whether an action begins with one of those that are listed. */
const startsWithOne = (action: string, listed: string) =>
  listed.split(',').some((start) => action.startsWith(start));

const matches = (entry: AuditEntry, { action, drafts = true, actor }: AuditListing) =>
  (action === undefined || actionsOf(entry).some((each) => startsWithOne(each, action))) &&
  (drafts || !DRAFTS.includes(entry.action)) &&
  (actor === undefined || holds([entry.actor, entry.actorId ?? ''], actor));

type Kind = AuditEntry['kind'];

/** The streams that can have matching entries. */
const streamsFor = ({ kind, action }: AuditListing): Kind[] => {
  const kinds: Kind[] = kind === undefined ? ['change', 'read', 'refusal'] : [kind];
  return kinds.filter(
    (each) => each !== 'read' || action === undefined || startsWithOne(READ_ACTION, action),
  );
};

/** After every sort key of the day. */
const endOfDay = (day: string) => `${day}T23:59:59.999Z#zz`;

/**
 * One page of changes, reads and refusals, merged, newest first; the last has no cursor. A page can have fewer than
 * `limit` entries before the last page: its size and the number of entries that it reads are limited too, and one with
 * reads ends with the month, because each takes a call for each shard.
 */
export const listAudit = async (
  table: Table,
  listing: AuditListing,
  subjects: AuditSubjects = createAuditSubjects(table),
): Promise<{ readonly entries: readonly AuditEntry[]; readonly cursor?: string }> => {
  const { to, limit, cursor } = listing;
  const before = cursor === undefined ? `${to}~` : decodeEntryCursor(cursor, to);
  const readsFrom = later(listing.from, listing.readsFrom ?? listing.from);
  const chosen = streamsFor(listing).filter((kind) => kind !== 'read' || readsFrom <= before);
  const from = chosen.includes('read') ? later(listing.from, monthIn(before)) : listing.from;
  const stream = merged(
    chosen.map((kind) => STREAMS[kind](table, kind === 'read' ? later(from, readsFrom) : from, before)),
    newestFirst,
  );
  const concerns = subjects(listing.subject);
  const hasRoom = createPageRoom();
  const entries: AuditEntry[] = [];
  let examined = 0;
  let last = before;
  for await (const { entryId, entry } of stream) {
    if (entryId < from) break;
    if (entry === undefined) continue;
    if (matches(entry, listing) && (await concerns(entry))) {
      if (!hasRoom(entry)) return { entries, cursor: encodeCursor(last) };
      entries.push(entry);
    }
    examined += 1;
    if (entries.length === limit || examined === EXAMINED_ENTRIES)
      return { entries, cursor: encodeCursor(entry.entryId) };
    last = entry.entryId;
  }
  return from === listing.from
    ? { entries }
    : { entries, cursor: encodeCursor(endOfDay(dayBefore(`${from}-01`))) };
};
