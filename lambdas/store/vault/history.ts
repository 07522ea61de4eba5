import { PARTITIONS } from '../../../contract/table.ts';
import { keyOfItem, rowsFrom } from '../queries.ts';
import { getRow, type SignedKind, verifiedRow } from '../signing/rows.ts';
import { putSigned, toItem } from '../signing/writes.ts';
import type { Key } from '../table.ts';
import type { Write } from '../transactions.ts';
import { readVaultHead, StaleHeadError, VAULT_HEAD, type VaultHead } from './head.ts';
import type { Vault } from './vault.ts';

const REVISION = 'REVISION#';

const revisionKey = ({ environment }: Pick<Vault, 'environment'>, revision: number): Key => ({
  pk: PARTITIONS.vault + environment,
  sk: REVISION + String(revision).padStart(12, '0'),
});

/** A head that another one replaced, at `replacedAt` (ISO 8601 in UTC). */
export interface Revision extends VaultHead {
  readonly replacedAt: string;
}

/** How earlier heads are signed: as the head, although their rows have other keys. */
export const VAULT_REVISION: SignedKind<VaultHead> = {
  ...VAULT_HEAD,
  storedAt: (head) => revisionKey(head, head.revision),
};

/**
 * Restarts a change if what it did not find may have been removed after its head was read: key pairs and the values
 * encrypted to them are removed together with a new head.
 */
export const requireUnmoved = async (vault: Vault, { revision }: VaultHead): Promise<void> => {
  if ((await readVaultHead(vault)).revision !== revision) throw new StaleHeadError();
};

/**
 * Signs the next head, which replaces the one that was read; that one is kept, as signed, as a revision. Fails with
 * `ConflictError` if the head has changed.
 */
export const replaceHead = async (
  vault: Vault,
  seen: VaultHead,
  next: VaultHead,
): Promise<readonly Write[]> => [
  await putSigned(vault, VAULT_HEAD, next, { revision: seen.revision }, 'vault'),
  { put: { Item: { ...toItem(VAULT_HEAD, seen), ...revisionKey(vault, seen.revision) } } },
];

/** A revision number above all that were ever used, of a vault whose head is lost. */
export const revisionAfterLoss = async (vault: Vault): Promise<number> => {
  const rows = await Array.fromAsync(rowsFrom(vault, PARTITIONS.vault + vault.environment, REVISION));
  return Number(rows.at(-1)?.revision ?? 0) + 2;
};

/** An earlier head, or undefined if it is not kept. */
export const earlierHead = (vault: Vault, revision: number): Promise<VaultHead | undefined> =>
  getRow(vault, VAULT_REVISION, revisionKey(vault, revision));

const revisionUntil = (earlier: VaultHead, next: VaultHead | undefined): Revision => ({
  ...earlier,
  // A neighbor that the purge has removed was replaced long ago.
  replacedAt: next?.revision === earlier.revision + 1 ? next.changedAt : '',
});

/** An earlier revision, or undefined if it is not kept; `head` is the current one. */
export const findRevision = async (vault: Vault, head: VaultHead, revision: number) => {
  const [earlier, next] = await Promise.all([
    earlierHead(vault, revision),
    revision + 1 === head.revision ? head : earlierHead(vault, revision + 1),
  ]);
  return earlier && revisionUntil(earlier, next);
};

export interface RevisionRow {
  readonly key: Key;
  readonly revision: Revision;
}

/** All earlier revisions that still exist, oldest first, with their keys. */
export async function* listRevisions(vault: Vault): AsyncGenerator<RevisionRow> {
  let last: { readonly key: Key; readonly head: VaultHead } | undefined;
  for await (const item of rowsFrom(vault, PARTITIONS.vault + vault.environment, REVISION)) {
    const key = keyOfItem(item);
    const head = verifiedRow(vault, VAULT_REVISION, key, item);
    if (last !== undefined) yield { key: last.key, revision: revisionUntil(last.head, head) };
    last = { key, head };
  }
  if (last === undefined) return;
  const head = await readVaultHead(vault);
  const { revision } = last.head;
  const next = head.revision === revision + 1 ? head : await earlierHead(vault, revision + 1);
  yield { key: last.key, revision: revisionUntil(last.head, next) };
}
