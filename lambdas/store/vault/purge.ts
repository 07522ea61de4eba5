import { daysAfter } from '../../core/days.ts';
import { inParallel } from '../../core/parallel.ts';
import { restorableSince } from '../../core/restoring.ts';
import { allEntries } from '../secrets/locations.ts';
import { removeValues } from '../secrets/values.ts';
import { deleteItem, type Key, type Table } from '../table.ts';
import { deletedKey, listDeletions } from './deleted.ts';
import { findRevision, listRevisions, type Revision, readHead } from './head.ts';
import { deletePage } from './pages.ts';
import { abortWrite, listPendingWrites } from './pending-writes.ts';
import { isMarkedForPurge, markForPurge, removeMarked } from './purge-marks.ts';

export interface VaultPurgeReport {
  readonly revisions: number;
  readonly writings: number;
  readonly deleted: number;
}

/**
 * Permanently removes revisions that were replaced more than seven days ago, with the pages that no other revision
 * names; pages of writers that crashed more than a day ago; and secrets that were deleted more than seven days ago,
 * with their earlier values. The next run completes an interrupted one. Returns the number of each. Errors:
 * `unavailable`.
 */
export const purgeVault = async (table: Table, now: Date): Promise<VaultPurgeReport> => ({
  revisions: await purgeRevisions(table, restorableSince(now)),
  writings: await purgeWritings(table, daysAfter(now, -1).toISOString()),
  deleted: await purgeDeleted(table, restorableSince(now)),
});

const purgeRevisions = async (table: Table, before: string): Promise<number> => {
  const old: { readonly key: Key; readonly revision: Revision }[] = [];
  for await (const row of listRevisions(table)) {
    if (row.revision.replacedAt < before && (await markForPurge(table, row.key))) old.push(row);
  }
  if (old.length === 0) return 0;
  // Read after the marks: from here on, none of the old revisions can be restored.
  const named = await namedPages(table, new Set(old.map(({ key }) => key.sk)));
  for (const { key, revision } of old) {
    const pages = revision.pages.filter(({ id }) => !named.has(id));
    await inParallel(pages, ({ id }) => deletePage(table, id));
    await deleteItem(table, key);
    for (const { id } of pages) named.add(id);
  }
  return old.length;
};

/** The pages that the head and all other revisions name. */
const namedPages = async (table: Table, but: ReadonlySet<string>): Promise<Set<string>> => {
  // The head first: a head that replaces it names new pages, and the old one is then listed as a revision.
  const named = new Set((await readHead(table)).pages.map(({ id }) => id));
  for await (const { key, revision } of listRevisions(table)) {
    if (!but.has(key.sk)) for (const { id } of revision.pages) named.add(id);
  }
  return named;
};

const purgeWritings = async (table: Table, before: string): Promise<number> => {
  let count = 0;
  for await (const pending of listPendingWrites(table)) {
    if (pending.at >= before) continue;
    await abortWrite(table, pending);
    count += 1;
  }
  return count;
};

const purgeDeleted = async (table: Table, before: string): Promise<number> => {
  const ids: string[] = [];
  const head = await readHead(table);
  for await (const { secretId, revision } of listDeletions(table)) {
    if (revision >= head.revision) continue;
    // A secret can be restored as long as the revision that contained it.
    const last = await findRevision(table, head, revision);
    if (last !== undefined && last.replacedAt >= before) continue;
    if (await markForPurge(table, deletedKey(secretId))) ids.push(secretId);
  }
  if (ids.length === 0) return 0;
  const live = new Set((await allEntries(table, await readHead(table))).map(({ secretId }) => secretId));
  await inParallel(ids, async (secretId) => {
    const key = deletedKey(secretId);
    // A restored earlier revision may contain the secret, or it may have been deleted again since the mark.
    if (!live.has(secretId) && (await isMarkedForPurge(table, key))) await removeValues(table, secretId);
    await removeMarked(table, key);
  });
  return ids.length;
};
