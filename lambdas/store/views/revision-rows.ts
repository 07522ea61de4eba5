import type { revisionRow } from '../../../contract/documentation/vault.ts';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import { type ListPage, type Paging, pageOfList } from '../../core/lists/lists.ts';
import { inParallel } from '../../core/parallel.ts';
import { restorable } from '../../core/restoring.ts';
import { changeOfRevision } from '../audit-log.ts';
import type { Table } from '../table.ts';
import { listRevisions, readHead, type VaultHead } from '../vault/head.ts';
import { fromChange } from './audit-entries.ts';

type RevisionRow = ReplyOf<typeof revisionRow>;

const NEWEST_FIRST = {
  keyOf: ({ revision }: VaultHead) => revision,
  idOf: ({ revision }: VaultHead) => String(revision),
  descending: true,
};

/** A page of the current revision and those that can be restored at `now`, newest first. Errors: `integrity`, `unavailable`. */
export const listRevisionRows = async (
  table: Table,
  now: Date,
  paging: Paging,
): Promise<ListPage<RevisionRow>> => {
  // The head last: a change in between adds its predecessor to the revisions, and the head replaces that one here.
  const heads = new Map<number, VaultHead>();
  for await (const { revision } of listRevisions(table)) {
    if (restorable(revision.replacedAt, now)) heads.set(revision.revision, revision);
  }
  const head = await readHead(table);
  heads.set(head.revision, head);
  const { entries, ...page } = pageOfList([...heads.values()], NEWEST_FIRST, paging);
  return { ...page, entries: await inParallel(entries, (each) => rowOf(table, each)) };
};

const rowOf = async (
  table: Table,
  { revision, changedAt, changedBy, count }: VaultHead,
): Promise<RevisionRow> => {
  const item = await changeOfRevision(table, revision, changedAt);
  const base = { revision, changedAt, changedBy, secrets: count };
  if (item === undefined) return { ...base, change: null };
  const { action, subject, name, details } = fromChange(item);
  return { ...base, change: { action, subject, name, details } };
};
