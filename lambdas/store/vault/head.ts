import { PARTITIONS } from '../../../contract/table.ts';
import { ConflictError, CuevaultError } from '../../core/errors.ts';
import { getItem, type Item, type Key, queryItems, type Table, type Write } from '../table.ts';
import { notMarkedForPurge } from './purge-marks.ts';

/** Names an immutable page. */
export interface PageRef {
  readonly prefix: string;
  readonly id: string;
  /** The oldest vault key version that a box of the page is sealed to. */
  readonly keyVersion: number;
}

/** The root of the vault's tree: one revision of everything in it. */
export interface VaultHead {
  readonly revision: number;
  /** The vault key version that new boxes are sealed to. */
  readonly keyVersion: number;
  readonly pages: readonly PageRef[];
  readonly count: number;
  /** Bytes of all current values. */
  readonly bytes: number;
  /** The highest number that any value of any secret was given. */
  readonly highest: number;
  /** New values get numbers above this one: an earlier revision came back, which forgot the numbers given since. */
  readonly reservedUpTo: number;
}

/** A head that another one replaced, at `replacedAt` (ISO 8601 in UTC). */
export interface Revision extends VaultHead {
  readonly replacedAt: string;
}

const HEAD: Key = { pk: PARTITIONS.vault, sk: 'HEAD' };
const REVISION = 'REVISION#';

const revisionKey = (revision: number): Key => ({
  pk: PARTITIONS.vault,
  sk: REVISION + String(revision).padStart(12, '0'),
});

const fromItem = (item: Item): VaultHead => ({
  revision: item.revision as number,
  keyVersion: item.keyVersion as number,
  pages: item.pages as PageRef[],
  count: item.count as number,
  bytes: item.bytes as number,
  highest: item.highest as number,
  reservedUpTo: item.reservedUpTo as number,
});

const toRevision = (item: Item): Revision => ({
  ...fromItem(item),
  replacedAt: item.replacedAt as string,
});

/** What a head names is gone, because the head is no longer the head. */
export class StaleHeadError extends CuevaultError {
  constructor() {
    super('unavailable', 'The vault changed while it was being read. Try again.');
  }
}

/** The current head, strongly consistent, or undefined before the vault's first key. Errors: `unavailable`. */
export const findHead = async (table: Table): Promise<VaultHead | undefined> => {
  const item = await getItem(table, HEAD);
  return item === undefined ? undefined : fromItem(item);
};

/** The current head, strongly consistent. Errors: `unavailable`, also before the vault's first key. */
export const readHead = async (table: Table): Promise<VaultHead> => {
  const head = await findHead(table);
  if (head === undefined) {
    throw new CuevaultError('unavailable', 'The vault is still being set up. Try again shortly.');
  }
  return head;
};

/** Writes the first head, in a transaction that fails where there is one. */
export const firstHead = (head: VaultHead): Write => ({
  put: { Item: { ...HEAD, ...head }, ConditionExpression: 'attribute_not_exists(pk)' },
  onConditionFailed: () => new ConflictError('vault'),
});

/** Replaces the head that was seen, and keeps it as a revision. Fails as a `ConflictError` where it has moved. */
export const moveHead = (seen: VaultHead, next: VaultHead, at: Date): readonly Write[] => [
  {
    put: {
      Item: { ...HEAD, ...next },
      ConditionExpression: 'revision = :seen',
      ExpressionAttributeValues: { ':seen': seen.revision },
    },
    onConditionFailed: () => new ConflictError('vault'),
  },
  { put: { Item: { ...revisionKey(seen.revision), ...seen, replacedAt: at.toISOString() } } },
];

/** An earlier revision, or undefined where it is not kept. Errors: `unavailable`. */
export const findRevision = async (table: Table, revision: number): Promise<Revision | undefined> => {
  const item = await getItem(table, revisionKey(revision));
  return item === undefined || item.purging === true ? undefined : toRevision(item);
};

/** Requires, in a transaction, that an earlier revision is still kept. */
export const revisionKept = (revision: number): Write => ({
  check: { Key: revisionKey(revision), ConditionExpression: notMarkedForPurge },
  onConditionFailed: () => new ConflictError('vault'),
});

/** Every earlier revision that is still there, oldest first, with its key. Errors: `unavailable`. */
export async function* listRevisions(
  table: Table,
): AsyncGenerator<{ readonly key: Key; readonly revision: Revision }> {
  const query = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :start)',
    ExpressionAttributeValues: { ':pk': PARTITIONS.vault, ':start': REVISION },
  };
  for await (const item of queryItems(table, query)) {
    yield { key: { pk: item.pk as string, sk: item.sk as string }, revision: toRevision(item) };
  }
}
