import type { RefusalReason } from '../../contract/http/refusals.ts';
import { PARTITIONS } from '../../contract/table.ts';
import { dayOf, daysAfter, monthAfter, monthOf } from '../core/days.ts';
import { randomBase62 } from '../core/identifiers.ts';
import { type Item, putNewItem, queryItems, type Table, type Write } from './table.ts';
import { putEntry, shardsOf } from './usage/entry-shards.ts';

const DAY_SECONDS = 86_400;
/** Every entry's sort key begins with a time of this form. */
const TIME_LENGTH = '2026-01-01T00:00:00.000Z'.length;

/** Expiry of an item written at `at`, in seconds since the epoch. */
export const expiresAfter = (at: Date, days: number): number =>
  Math.floor(at.getTime() / 1000) + days * DAY_SECONDS;

/** Who makes a change, when, and in which request. */
export interface Change {
  readonly at: Date;
  /** E-mail address of the operator, or `system` for automatic changes. */
  readonly actor: string;
  readonly requestId: string;
  /** Whether the actor may do what only administrators may. Automatic changes may. */
  readonly isAdmin: boolean;
  /** Whether an administrator has confirmed that API keys with a tag restriction may gain access to existing secrets. */
  readonly mayWidenAccess?: boolean;
}

/** A change: `action` is `<resource>.<verb>`; `details` never contains a secret value or an API key. */
export interface AuditChange {
  readonly action: string;
  readonly subject: string;
  readonly name: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The revision of the vault that the change made. */
  readonly revision?: number;
}

/** The audit entry of a change, as part of the change's transaction. */
export const auditChange = (table: Table, change: Change, entry: AuditChange): Write => ({
  put: {
    Item: {
      pk: PARTITIONS.auditChange + monthOf(change.at),
      sk: `${change.at.toISOString()}#${change.requestId}#${randomBase62(6)}`,
      at: change.at.toISOString(),
      actor: change.actor,
      requestId: change.requestId,
      action: entry.action,
      subject: entry.subject,
      name: entry.name,
      details: JSON.stringify(entry.details ?? {}),
      revision: entry.revision,
      ttl: expiresAfter(change.at, table.settings.auditDays),
    },
  },
});

/** A read of secrets, without values: which key, what it asked for, and what it received. */
export interface AuditRead {
  readonly at: Date;
  readonly requestId: string;
  readonly apiKeyId: string;
  readonly apiKeyName: string;
  readonly sourceIp: string;
  readonly userAgent: string;
  readonly filter: { readonly key?: string | undefined; readonly tags?: readonly string[] | undefined };
  readonly restriction: readonly string[];
  readonly revision: number;
  readonly count: number;
  /** SHA-256 of the names read. */
  readonly digest: string;
}

/** Writes the audit entry of a read of secrets. Errors: `unavailable`. */
export const writeAuditRead = (table: Table, { at, ...entry }: AuditRead): Promise<void> =>
  putEntry(table, {
    ...{ requestId: entry.requestId, source: PARTITIONS.auditRead + dayOf(at) },
    item: {
      sk: `${at.toISOString()}#${entry.requestId}`,
      at: at.toISOString(),
      ...entry,
      ttl: expiresAfter(at, table.settings.readDays),
    },
  });

/** The number of shards with reads of a day (`YYYY-MM-DD`). Errors: `unavailable`. */
export const readShardsOf = (table: Table, day: string): Promise<number> =>
  shardsOf(table, PARTITIONS.auditRead + day);

/** A call refused because of its API key, whose id is known: why, and for which operation. */
export interface AuditRefusal {
  readonly at: Date;
  readonly requestId: string;
  readonly apiKeyId: string;
  readonly apiKeyName: string;
  readonly sourceIp: string;
  readonly userAgent: string;
  readonly operationId: string;
  readonly reason: RefusalReason;
}

/**
 * Writes the audit entry of the first refusal for this key and reason in this minute. It stands for one or more calls:
 * it is sorted at the end of the minute, and has the time of the first. Errors: `unavailable`.
 */
export const writeAuditRefusal = async (table: Table, { at, ...entry }: AuditRefusal): Promise<void> => {
  const minute = `${at.toISOString().slice(0, 16)}:59.999Z`;
  await putNewItem(table, {
    pk: PARTITIONS.auditRefusal + monthOf(at),
    sk: `${minute}#${entry.apiKeyId}#${entry.reason}`,
    at: at.toISOString(),
    ...entry,
    ttl: expiresAfter(at, table.settings.auditDays),
  });
};

/**
 * The audit entry of the change that made a revision of the vault, at the time of that change (ISO 8601). Undefined
 * without an entry, and if there are several: then all but one are forged. Errors: `unavailable`.
 */
export const changeOfRevision = async (
  table: Table,
  revision: number,
  changedAt: string,
): Promise<Item | undefined> => {
  const query = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :at)',
    ExpressionAttributeValues: {
      ':pk': PARTITIONS.auditChange + monthOf(new Date(changedAt)),
      ':at': `${changedAt}#`,
    },
  };
  const items = await Array.fromAsync(queryItems(table, query));
  const [found, ...others] = items.filter((item) => item.revision === revision);
  return others.length === 0 ? found : undefined;
};

/** The refusals of a month (`YYYY-MM`) before a sort key, newest first. Errors: `unavailable`. */
export const refusalsBefore = (table: Table, month: string, before: string): AsyncGenerator<Item> =>
  entriesBefore(table, PARTITIONS.auditRefusal + month, before);

/** The changes of a month (`YYYY-MM`) before a sort key, newest first. Errors: `unavailable`. */
export const changesBefore = (table: Table, month: string, before: string): AsyncGenerator<Item> =>
  entriesBefore(table, PARTITIONS.auditChange + month, before);

/** The reads of a day (`YYYY-MM-DD`) in one shard before a sort key, newest first. Errors: `unavailable`. */
export const readsBefore = (table: Table, day: string, shard: number, before: string): AsyncGenerator<Item> =>
  entriesBefore(table, `${PARTITIONS.auditRead}${day}#${shard}`, before);

/**
 * The partitions that hold the audit entries of a day (`YYYY-MM-DD`); some hold those of its entire month.
 * Errors: `unavailable`.
 */
export const auditPartitions = async (table: Table, day: string): Promise<string[]> => {
  const month = day.slice(0, 7);
  const length = await readShardsOf(table, day);
  const reads = Array.from({ length }, (_, shard) => `${PARTITIONS.auditRead}${day}#${shard}`);
  return [PARTITIONS.auditChange + month, PARTITIONS.auditRefusal + month, ...reads];
};

/** The entries of a partition from a time on and before another, oldest first. Errors: `unavailable`. */
export const auditEntriesBetween = (
  table: Table,
  pk: string,
  from: string,
  to: string,
): AsyncGenerator<Item> =>
  queryItems(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
  });

/** The time of the oldest change that is kept, or undefined before the first. Errors: `unavailable`. */
export const oldestChange = async (table: Table, now: Date): Promise<string | undefined> => {
  const last = monthOf(now);
  for (let at = daysAfter(now, -table.settings.auditDays); monthOf(at) <= last; at = monthAfter(at)) {
    const query = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': PARTITIONS.auditChange + monthOf(at) },
      Limit: 1,
    };
    for await (const item of queryItems(table, query)) return String(item.sk).slice(0, TIME_LENGTH);
  }
  return undefined;
};

const entriesBefore = (table: Table, pk: string, before: string): AsyncGenerator<Item> =>
  queryItems(table, {
    KeyConditionExpression: 'pk = :pk AND sk < :before',
    ExpressionAttributeValues: { ':pk': pk, ':before': before },
    ScanIndexForward: false,
    Limit: 100,
  });
