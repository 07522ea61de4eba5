import { PARTITIONS } from '../../../contract/table.ts';
import { ConflictError } from '../../core/errors.ts';
import { type Page, pageOf } from '../../core/vault/pages.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import { getItem, type Item, type Key, putItem, queryItems, type Table, type Write } from '../table.ts';
import { earlierHead, type VaultHead } from './head.ts';
import { memoizeAsync } from './memoize.ts';
import { readPage } from './pages.ts';
import { notMarkedForPurge } from './purge-marks.ts';

/**
 * Says where a deleted secret was last. It holds nothing that counts: what comes back is what the signed revision holds,
 * and the next revision must be without it.
 */
export interface Deletion {
  readonly secretId: string;
  /** Tells which page held it. */
  readonly key: string;
  /** The last revision that had it. */
  readonly revision: number;
}

/** A deleted secret as it was, with its last value. */
export interface DeletedSecret {
  readonly entry: SecretEntry;
  /** ISO 8601 in UTC. */
  readonly deletedAt: string;
  readonly deletedBy: string;
}

const DELETED = 'DELETED#';

/** The key of a deleted secret's row. */
export const deletedKey = (secretId: string): Key => ({ pk: PARTITIONS.vault, sk: DELETED + secretId });

const toItem = (deletion: Deletion): Item => ({ ...deletedKey(deletion.secretId), ...deletion });

const fromItem = (item: Item): Deletion => ({
  secretId: item.secretId as string,
  key: item.key as string,
  revision: item.revision as number,
});

/** Notes a deletion in the transaction that takes the secret out of its page. */
export const addDeleted = (deletion: Deletion): Write => ({ put: { Item: toItem(deletion) } });

/** Notes a deletion by itself. Errors: `unavailable`. */
export const putDeleted = (table: Table, deletion: Deletion): Promise<void> =>
  putItem(table, toItem(deletion));

/** Removes the note in the transaction that puts the secret back into a page. */
export const takeDeleted = (secretId: string): Write => ({
  remove: { Key: deletedKey(secretId), ConditionExpression: notMarkedForPurge },
  onConditionFailed: () => new ConflictError('vault'),
});

/** Finds a deleted secret by the note of its deletion; undefined where the note is not true or out of date. */
export type DeletedLookup = (deletion: Deletion) => Promise<DeletedSecret | undefined>;

/**
 * Looks deleted secrets up as of one head; each revision and page is read once. Errors of a lookup: `StaleHeadError`,
 * `integrity`, `unavailable`.
 */
export const createDeletedLookup = (table: Table, head: VaultHead): DeletedLookup => {
  const heads = new Map<number, Promise<VaultHead | undefined>>();
  const pages = new Map<string, Promise<Page>>();
  const headAt = async (revision: number): Promise<VaultHead | undefined> =>
    revision === head.revision ? head : memoizeAsync(heads, revision, () => earlierHead(table, revision));
  const entryIn = async (at: VaultHead, { key, secretId }: Deletion): Promise<SecretEntry | undefined> => {
    const ref = pageOf(at.pages, key);
    const page = await memoizeAsync(pages, ref.id, () => readPage(table, ref));
    return page.entries.find((entry) => entry.secretId === secretId);
  };
  return async (deletion) => {
    const [last, next] = await Promise.all([headAt(deletion.revision), headAt(deletion.revision + 1)]);
    if (last === undefined || next === undefined) return undefined;
    const [entry, after] = await Promise.all([entryIn(last, deletion), entryIn(next, deletion)]);
    if (entry === undefined || after !== undefined) return undefined;
    return { entry, deletedAt: next.changedAt, deletedBy: next.changedBy };
  };
};

/** A deleted secret that is still kept. Errors: as of a lookup. */
export const findDeleted = async (
  table: Table,
  head: VaultHead,
  secretId: string,
): Promise<DeletedSecret | undefined> => {
  const item = await getItem(table, deletedKey(secretId));
  if (item === undefined || item.purging === true) return undefined;
  return createDeletedLookup(table, head)({ ...fromItem(item), secretId });
};

/** The notes of all deletions, also of those that no longer count. Errors: `unavailable`. */
export async function* listDeletions(table: Table): AsyncGenerator<Deletion> {
  const query = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :start)',
    ExpressionAttributeValues: { ':pk': PARTITIONS.vault, ':start': DELETED },
  };
  for await (const item of queryItems(table, query)) {
    yield { ...fromItem(item), secretId: String(item.sk).slice(DELETED.length) };
  }
}
