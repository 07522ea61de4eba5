import { PARTITIONS } from '../../../contract/table.ts';
import { memoizeAsync } from '../../core/parallel.ts';
import { pageFor, type VaultPage } from '../../core/vault/pages.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import { rowsFrom, unsignedKind } from '../queries.ts';
import { getItem, type Item, type Key, putItem } from '../table.ts';
import { onlyIf, transactIf, type Write } from '../transactions.ts';
import type { VaultHead } from './head.ts';
import { earlierHead } from './history.ts';
import { readPage } from './page-rows.ts';
import type { Vault } from './vault.ts';

/**
 * The last location of a deleted secret. It is only a hint: a restore takes the secret from the signed revision, and
 * the next revision must not contain it.
 */
export interface Deletion {
  readonly secretId: string;
  /** Identifies the page that contained it. */
  readonly key: string;
  /** The last revision that contained it. */
  readonly revision: number;
}

/** A deleted secret with its last value. */
export interface DeletedSecret {
  readonly entry: SecretEntry;
  /** ISO 8601 in UTC. */
  readonly deletedAt: string;
  readonly deletedBy: string;
}

const DELETED = 'DELETED#';

export const deletedKey = ({ environment }: Vault, secretId: string): Key => ({
  pk: PARTITIONS.vault + environment,
  sk: DELETED + secretId,
});

const toItem = (vault: Vault, deletion: Deletion): Item => ({
  ...deletedKey(vault, deletion.secretId),
  ...deletion,
});

const { fromItem } = unsignedKind<Deletion>();

/** Records a deletion, in the transaction that removes the secret from its page. */
export const addDeleted = (vault: Vault, deletion: Deletion): Write => ({
  put: { Item: toItem(vault, deletion) },
});

/** Records a deletion outside a transaction. */
export const putDeleted = (vault: Vault, deletion: Deletion): Promise<void> =>
  putItem(vault, toItem(vault, deletion));

/** Removes the record, in the transaction that restores the secret to a page. */
export const removeDeleted = (vault: Vault, secretId: string): Write => ({
  remove: { Key: deletedKey(vault, secretId) },
});

/** Removes the record, unless the secret was deleted again since it was read. */
export const forgetDeleted = async (vault: Vault, { secretId, revision }: Deletion): Promise<void> => {
  await transactIf(vault, [{ remove: { Key: deletedKey(vault, secretId), ...onlyIf({ revision }) } }]);
};

/**
 * Looks up deleted secrets for one head by the record of their deletion; undefined if it is false or outdated. Each
 * revision and page is read once.
 */
export const createDeletedLookup = (vault: Vault, head: VaultHead) => {
  const heads = new Map<number, Promise<VaultHead | undefined>>();
  const pages = new Map<string, Promise<VaultPage>>();
  const headAt = async (revision: number): Promise<VaultHead | undefined> =>
    revision === head.revision ? head : memoizeAsync(heads, revision, () => earlierHead(vault, revision));
  const entryIn = async (at: VaultHead, { key, secretId }: Deletion): Promise<SecretEntry | undefined> => {
    const ref = pageFor(at.pages, key);
    const page = await memoizeAsync(pages, ref.id, () => readPage(vault, ref));
    return page.entries.find((entry) => entry.secretId === secretId);
  };
  return async (deletion: Deletion): Promise<DeletedSecret | undefined> => {
    const [last, next] = await Promise.all([headAt(deletion.revision), headAt(deletion.revision + 1)]);
    if (last === undefined || next === undefined) return undefined;
    const [entry, after] = await Promise.all([entryIn(last, deletion), entryIn(next, deletion)]);
    if (entry === undefined || after !== undefined) return undefined;
    return { entry, deletedAt: next.changedAt, deletedBy: next.changedBy };
  };
};

/** A deleted secret that is still kept. */
export const findDeleted = async (vault: Vault, head: VaultHead, secretId: string) => {
  const item = await getItem(vault, deletedKey(vault, secretId));
  return item && createDeletedLookup(vault, head)({ ...fromItem(item), secretId });
};

/** The records of all deletions, including outdated ones. */
export async function* listDeletions(vault: Vault): AsyncGenerator<Deletion> {
  for await (const item of rowsFrom(vault, PARTITIONS.vault + vault.environment, DELETED)) {
    yield { ...fromItem(item), secretId: String(item.sk).slice(DELETED.length) };
  }
}
