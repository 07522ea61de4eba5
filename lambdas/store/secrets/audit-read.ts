import { expiresAfter, monthOf } from '../../core/days.ts';
import { putEntry, readsOf } from '../entry-shards.ts';
import type { Table } from '../table.ts';

/** A call with an API key. */
export interface KeyCall {
  readonly at: Date;
  readonly requestId: string;
  readonly apiKeyId: string;
  readonly apiKeyName: string;
  readonly sourceIp: string;
  readonly userAgent: string;
}

/** A read of secrets, without values: which key, what it asked for, and what it received. */
export interface AuditRead extends KeyCall {
  readonly filter: { readonly key?: string | undefined; readonly tags?: readonly string[] | undefined };
  readonly restriction: readonly string[];
  readonly environment: string;
  readonly revision: number;
  readonly count: number;
  /** SHA-256 of the names read. */
  readonly digest: string;
}

/** Writes the audit entry of a read of secrets. */
export const writeAuditRead = (table: Table, { at, ...entry }: AuditRead): Promise<void> =>
  putEntry(table, {
    requestId: entry.requestId,
    source: readsOf(monthOf(at)),
    item: {
      sk: `${at.toISOString()}#${entry.requestId}`,
      at: at.toISOString(),
      ...entry,
      ttl: expiresAfter(at, table.settings.readDays),
    },
  });
