import { inBatches } from '../../core/parallel.ts';
import { restorable } from '../../core/restoring.ts';
import {
  type EarlierValue,
  type SecretEntry,
  type SecretSummary,
  summaryOf,
} from '../../core/vault/secrets.ts';
import type { Table } from '../table.ts';
import { createDeletedLookup, listDeletions } from '../vault/deleted.ts';
import { readHead, StaleHeadError, type VaultHead } from '../vault/head.ts';
import { allEntries, locationOf } from '../vault/locations.ts';
import { earlierValues } from '../vault/values.ts';

/** Reads with one head, and again with the next if that head's pages are gone. */
const underHead = async <Result>(
  table: Table,
  read: (head: VaultHead) => Promise<Result>,
): Promise<Result> => {
  try {
    return await read(await readHead(table));
  } catch (error) {
    if (!(error instanceof StaleHeadError)) throw error;
    return read(await readHead(table));
  }
};

/** All secrets of one revision, by key, and its head. Errors: `unavailable`. */
export const readEntries = (
  table: Table,
): Promise<{ readonly head: VaultHead; readonly entries: readonly SecretEntry[] }> =>
  underHead(table, async (head) => ({ head, entries: await allEntries(table, head) }));

/** All secrets of one revision, by key, without their values. Errors: `unavailable`. */
export const listSecrets = async (table: Table): Promise<SecretSummary[]> =>
  (await readEntries(table)).entries.map(summaryOf);

/** An earlier value, without the value itself. */
export type ValueSummary = Omit<EarlierValue, 'box' | 'bytes' | 'keyVersion'>;

/**
 * A secret and the earlier values that it can be rolled back to, most recently replaced first; both from one revision,
 * without the values themselves. Errors: `secret_not_found`, `unavailable`.
 */
export const findSecret = (
  table: Table,
  secretId: string,
): Promise<{ readonly secret: SecretSummary; readonly values: ValueSummary[] }> =>
  underHead(table, async (head) => {
    const { entry } = await locationOf(table, head, secretId);
    const values = await earlierValues(table, entry);
    return {
      secret: summaryOf(entry),
      values: values.map(({ box: _box, bytes: _bytes, keyVersion: _version, ...rest }) => rest),
    };
  });

/** A deleted secret, without its value. */
export interface DeletedSummary extends SecretSummary {
  readonly deletedAt: string;
  readonly deletedBy: string;
}

/** The secrets that can be restored at `now`, most recently deleted first. Errors: `unavailable`. */
export const listDeletedSecrets = (table: Table, now: Date): Promise<DeletedSummary[]> =>
  underHead(table, async (head) => {
    const live = new Set((await allEntries(table, head)).map(({ secretId }) => secretId));
    const deleted: DeletedSummary[] = [];
    const lookup = createDeletedLookup(table, head);
    const lookups = inBatches(listDeletions(table), async (deletion) =>
      live.has(deletion.secretId) ? undefined : lookup(deletion),
    );
    for await (const found of lookups) {
      if (found === undefined || !restorable(found.deletedAt, now)) continue;
      const { entry, deletedAt, deletedBy } = found;
      deleted.push({ ...summaryOf(entry), deletedAt, deletedBy });
    }
    return deleted.sort((a, b) => (a.deletedAt < b.deletedAt ? 1 : -1));
  });
