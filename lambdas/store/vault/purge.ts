import { daysAfter } from '../../core/days.ts';
import { inParallel } from '../../core/parallel.ts';
import { purgedBefore } from '../../core/restoring.ts';
import { deleteItem } from '../updates.ts';
import { type Deletion, forgetDeleted, listDeletions } from './deleted.ts';
import { readVaultHead } from './head.ts';
import { findRevision, listRevisions, type RevisionRow } from './history.ts';
import { allEntries } from './locations.ts';
import { deletePage } from './page-writes.ts';
import { listPendingWrites, removeAborted } from './pending-writes.ts';
import { removeValues } from './values.ts';
import type { Vault } from './vault.ts';

/**
 * Permanently removes revisions that were replaced more than eight days ago, with the pages that no other revision
 * names; pages of writers that crashed more than a day ago; and secrets that were deleted more than eight days ago,
 * with their earlier values. Nobody can restore them since a day. The next run completes an interrupted one. Returns
 * the number of each.
 */
export const purgeVault = async (vault: Vault, now: Date) => ({
  revisions: await purgeRevisions(vault, purgedBefore(now)),
  writings: await purgeWritings(vault, daysAfter(now, -1).toISOString()),
  deleted: await purgeDeleted(vault, purgedBefore(now)),
});

const purgeRevisions = async (vault: Vault, before: string) => {
  // The head first: a head that replaces it names new pages, and pages of the revisions that can be restored.
  const named = new Set((await readVaultHead(vault)).pages.map(({ id }) => id));
  const old: RevisionRow[] = [];
  for await (const row of listRevisions(vault)) {
    if (row.revision.replacedAt < before) old.push(row);
    else for (const { id } of row.revision.pages) named.add(id);
  }
  for (const { key, revision } of old) {
    const pages = revision.pages.filter(({ id }) => !named.has(id));
    await inParallel(pages, ({ id }) => deletePage(vault, id));
    await deleteItem(vault, key);
    for (const { id } of pages) named.add(id);
  }
  return old.length;
};

const purgeWritings = async (vault: Vault, before: string) => {
  let count = 0;
  for await (const pending of listPendingWrites(vault)) {
    if (pending.at >= before) continue;
    await removeAborted(vault, pending);
    count += 1;
  }
  return count;
};

const purgeDeleted = async (vault: Vault, before: string) => {
  // The head first: a secret that is deleted after it was read has a new record by then.
  const head = await readVaultHead(vault);
  const due: Deletion[] = [];
  for await (const deletion of listDeletions(vault)) {
    if (deletion.revision >= head.revision) continue;
    const last = await findRevision(vault, head, deletion.revision);
    if (last === undefined || last.replacedAt < before) due.push(deletion);
  }
  if (due.length === 0) return 0;
  const live = new Set((await allEntries(vault, head)).map(({ secretId }) => secretId));
  await inParallel(due, async (deletion) => {
    // A restored earlier revision may contain the secret.
    if (!live.has(deletion.secretId)) await removeValues(vault, deletion.secretId);
    await forgetDeleted(vault, deletion);
  });
  return due.length;
};
