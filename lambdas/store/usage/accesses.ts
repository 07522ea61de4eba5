import type { JsonObject } from '../../../contract/fields/fields.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { expiresAfter, monthOf } from '../../core/days.ts';
import { entryPartition, putEntry } from '../entry-shards.ts';
import type { Item, Table } from '../table.ts';
import type { Use } from './counters.ts';

/** One fetch of a prompt, without the values of variables. */
export interface Access extends Use {
  readonly at: Date;
  readonly requestId: string;
  /** How the caller chose the version; absent in entries of earlier releases. */
  readonly asked?: 'latest' | 'version' | 'label';
  readonly label?: string | undefined;
  readonly apiKeyName: string;
  readonly sourceIp: string;
  readonly userAgent: string;
  /** Whether the caller asked for the compiled prompt. */
  readonly compiled: boolean;
  /** Sorted names of the variables that the caller sent to compile with; absent if unknown. */
  readonly variables?: readonly string[] | undefined;
  /** The `metaProperties` of the request. */
  readonly metaProperties: JsonObject;
}

/** The entries of a prompt in a month (`YYYY-MM`): their partition key without the shard. */
export const sourceOf = (promptId: string, month: string): string =>
  `${PARTITIONS.access}${promptId}#${month}`;

/** Metadata is stored as JSON text: a map would not preserve `1e300`, `__proto__` and deep nesting. */
const toItem = ({ settings }: Table, { at, metaProperties, ...access }: Access) => ({
  sk: `${at.toISOString()}#${access.requestId}`,
  time: at.toISOString(),
  ...access,
  metaProperties: JSON.stringify(metaProperties),
  ttl: expiresAfter(at, settings.accessDays),
});

/**
 * Writes an access entry; the consumer of the table's stream counts it. Never throws: an entry that could not be
 * written after the client's retries is returned for the log, so that it can be written later, and why.
 */
export const recordAccess = async (
  table: Table,
  access: Access,
): Promise<{ readonly record: Item; readonly cause: unknown } | undefined> => {
  const { promptId, at, requestId } = access;
  const entry = { requestId, source: sourceOf(promptId, monthOf(at)), item: toItem(table, access) };
  try {
    await putEntry(table, entry);
    return undefined;
  } catch (cause) {
    return { record: { pk: entryPartition(entry, table.settings.shards), ...entry.item }, cause };
  }
};
