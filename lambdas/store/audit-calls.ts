import type { RefusalReason } from '../../contract/http/refusals.ts';
import { PARTITIONS } from '../../contract/table.ts';
import { dayOf, expiresAfter, monthOf } from '../core/days.ts';
import { putEntry } from './entry-shards.ts';
import { putItemIf, type Table } from './table.ts';

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
  const Item = {
    pk: PARTITIONS.auditRefusal + monthOf(at),
    sk: `${minute}#${entry.apiKeyId}#${entry.reason}`,
    at: at.toISOString(),
    ...entry,
    ttl: expiresAfter(at, table.settings.auditDays),
  };
  await putItemIf(table, { Item, ConditionExpression: 'attribute_not_exists(pk)' });
};
