import type { RefusalReason } from '../../contract/http/refusals.ts';
import { PARTITIONS } from '../../contract/table.ts';
import { dayOf, monthOf } from '../core/days.ts';
import { randomBase62 } from '../core/identifiers.ts';
import { putEntry } from './entry-shards.ts';
import { putNewItem, type Table } from './table.ts';
import type { Write } from './transactions.ts';

const DAY_SECONDS = 86_400;

/** Expiry of an item written at `at`, in seconds since the epoch. */
export const expiresAfter = (at: Date, days: number): number =>
  Math.floor(at.getTime() / 1000) + days * DAY_SECONDS;

/** Who makes a change, when, and in which request. */
export interface Change {
  readonly at: Date;
  /** E-mail address of the operator, `API key` and its name, or `system` for automatic changes. */
  readonly actor: string;
  /** Id of the API key that publishes. */
  readonly actorId?: string;
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
      actorId: change.actorId,
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
  /** The prompt, or the name and tags of the secrets, that the first of the calls asked for. */
  readonly asked?: string | undefined;
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
