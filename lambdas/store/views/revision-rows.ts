import type { revisionRow } from '../../../contract/documentation/vault.ts';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import { type Paging, pageOfList } from '../../core/lists/lists.ts';
import { inParallel } from '../../core/parallel.ts';
import { restorable } from '../../core/restoring.ts';
import { changeOfRevision } from '../audit-log.ts';
import { readVaultHead, type VaultHead } from '../vault/head.ts';
import { listRevisions } from '../vault/history.ts';
import type { Vault } from '../vault/vault.ts';
import { fromChange } from './audit-entries.ts';

type RevisionRow = ReplyOf<typeof revisionRow>;

const NEWEST_FIRST = {
  sortedBy: ({ revision }: VaultHead) => revision,
  idOf: ({ revision }: VaultHead) => String(revision),
  descending: true,
};

/** A page of the current revision and those that can be restored at `now`, newest first. */
export const listRevisionRows = async (vault: Vault, now: Date, paging: Paging) => {
  // The head last: a change in between adds its predecessor to the revisions, and the head replaces that one here.
  const heads = new Map<number, VaultHead>();
  for await (const { revision } of listRevisions(vault)) {
    if (restorable(revision.replacedAt, now)) heads.set(revision.revision, revision);
  }
  const head = await readVaultHead(vault);
  heads.set(head.revision, head);
  const { entries, ...page } = pageOfList([...heads.values()], NEWEST_FIRST, paging);
  return { ...page, entries: await inParallel(entries, (each) => rowOf(vault, each)) };
};

const rowOf = async (vault: Vault, head: VaultHead): Promise<RevisionRow> => {
  const item = await changeOfRevision(vault, head);
  const { revision, changedAt, changedBy, count } = head;
  const base = { revision, changedAt, changedBy, secrets: count };
  if (item === undefined) return { ...base, change: null };
  const { action, subject, name, details } = fromChange(item);
  return { ...base, change: { action, subject, name, details } };
};
