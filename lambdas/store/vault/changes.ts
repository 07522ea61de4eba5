import { LIMITS } from '../../../contract/limits.ts';
import { inParallel } from '../../core/parallel.ts';
import { checkRoom, splitPage, tally } from '../../core/vault/page-writes.ts';
import type { VaultPage } from '../../core/vault/pages.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import { replacedValue } from '../../core/vault/values.ts';
import { type AuditChange, auditChange, type Change, stamp, transactChange } from '../audit.ts';
import { retryOnConflict, type Write } from '../transactions.ts';
import { readVaultHead, type VaultHead } from './head.ts';
import { replaceHead } from './history.ts';
import { type NewPage, newPage, writePage } from './page-writes.ts';
import { beginWrite } from './pending-writes.ts';
import { keepValue, trimValues } from './values.ts';
import type { Vault } from './vault.ts';

/** A change of the vault, based on one head. */
export interface VaultEdit<Result> {
  /** Pages as read, and their new content. */
  readonly before?: readonly VaultPage[];
  readonly after?: readonly VaultPage[];
  /** The previous state of secrets whose value is replaced; it is kept as an earlier value. */
  readonly replaced?: readonly SecretEntry[];
  /** Further changes of the head. */
  readonly head?: Partial<VaultHead>;
  /** Further operations of the transaction. */
  readonly writes?: readonly Write[];
  /** By default about the vault. Absent if nothing visible changes. */
  readonly audit?: Pick<AuditChange, 'action' | 'details'> & Partial<Pick<AuditChange, 'subject' | 'name'>>;
  readonly result: Result;
}

/**
 * Changes the vault from one revision to the next, completely or not at all. `edit` computes the change from the given
 * head, reading what it needs, and is called again whenever another writer was faster; `kept` is the result of one that
 * changes nothing. Returns the edit's result.
 */
export const changeVault = <Result>(
  vault: Vault,
  change: Change,
  edit: (head: VaultHead) => Promise<VaultEdit<Result> | { readonly kept: Result }>,
): Promise<Result> =>
  retryOnConflict(async () => {
    const head = await readVaultHead(vault);
    const made = await edit(head);
    return 'kept' in made ? made.kept : applyEdit(vault, change, head, made);
  });

/**
 * Writes the next revision of the vault: the new pages first, then one transaction. If it fails, the purge removes the
 * pages a day later.
 */
export const applyEdit = async <Result>(
  vault: Vault,
  change: Change,
  head: VaultHead,
  edit: VaultEdit<Result>,
): Promise<Result> => {
  const { pages, next } = nextRevision(head, change, edit);
  const { environment, revision } = next;
  const about = { subject: 'vault', name: 'vault', environment, revision };
  const replaced = edit.replaced ?? [];
  const ids = pages.map(({ ref }) => ref.id);
  const recorded = await beginWrite(vault, change.at, ids);
  const [replacing] = await Promise.all([
    replaceHead(vault, head, next),
    inParallel(pages, (page) => writePage(vault, page)),
    inParallel(replaced, (entry) => keepValue(vault, entry.secretId, replacedValue(entry, change.at))),
  ]);
  await transactChange(vault, change, [
    ...replacing,
    ...recorded,
    ...(edit.writes ?? []),
    ...(edit.audit === undefined ? [] : [auditChange(vault, change, { ...about, ...edit.audit })]),
  ]);
  // Leftovers are found again by the next change of the secret.
  await trimReplaced(vault, next.keyVersion, replaced, edit.after ?? []).catch(() => undefined);
  return edit.result;
};

const nextRevision = (head: VaultHead, change: Change, edit: VaultEdit<unknown>) => {
  const before = edit.before ?? [];
  const totals = totalsAfter(head, before, edit.after ?? []);
  const gone = new Set(before.map(({ prefix }) => prefix));
  const kept = head.pages.filter(({ prefix }) => !gone.has(prefix));
  const keyVersion = edit.head?.keyVersion ?? head.keyVersion;
  const pages: NewPage[] = [];
  let count = head.pages.length;
  for (const whole of edit.after ?? []) {
    const parts = splitPage(whole, count - 1);
    count += parts.length - 1;
    pages.push(...parts.map((page) => newPage(page, keyVersion)));
  }
  const next: VaultHead = {
    ...head,
    ...totals,
    pages: [...kept, ...pages.map(({ ref }) => ref)],
    ...edit.head,
    revision: head.revision + 1,
    ...stamp(change, 'changed'),
  };
  return { pages, next };
};

const totalsAfter = (head: VaultHead, before: readonly VaultPage[], after: readonly VaultPage[]) => {
  const was = tally(before);
  const is = tally(after);
  const count = head.count + is.count - was.count;
  const bytes = head.bytes + is.bytes - was.bytes;
  checkRoom(head, { count, bytes });
  const entries = after.flatMap((page) => page.entries);
  return {
    count,
    bytes,
    highest: entries.reduce((top, entry) => Math.max(top, entry.highest), head.highest),
  };
};

const trimReplaced = async (
  vault: Vault,
  keyVersion: number,
  replaced: readonly SecretEntry[],
  after: readonly VaultPage[],
) => {
  if (replaced.length === 0) return;
  const ids = new Set(replaced.map(({ secretId }) => secretId));
  const current = after.flatMap(({ entries }) => entries).filter(({ secretId }) => ids.has(secretId));
  // With fewer numbers than this, there cannot be more than the ten kept values.
  const many = current.filter(({ highest }) => highest > LIMITS.earlierValues + 1);
  await inParallel(many, (entry) => trimValues(vault, entry, keyVersion));
};
