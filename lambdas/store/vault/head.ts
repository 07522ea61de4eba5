import { PARTITIONS } from '../../../contract/table.ts';
import { CuevaultError } from '../../core/errors.ts';
import { type PageRef, packRefs, unpackRefs } from '../../core/vault/pages.ts';
import { keyOfItem, rowsFrom } from '../queries.ts';
import {
  type Codec,
  number,
  type RowOf,
  readRow,
  type SignedKind,
  signedKind,
  text,
  verifiedRow,
} from '../signing/rows.ts';
import { putSigned, toItem } from '../signing/writes.ts';
import { getItem, type Key, type Table } from '../table.ts';
import type { Write } from '../transactions.ts';

export const HEAD: Key = { pk: PARTITIONS.vault, sk: 'HEAD' };
const REVISION = 'REVISION#';

const revisionKey = (revision: number): Key => ({
  pk: PARTITIONS.vault,
  sk: REVISION + String(revision).padStart(12, '0'),
});

// Every call reads a head, and its pages rarely differ from the last one.
const packedForms = new WeakMap<readonly PageRef[], Uint8Array>();
let lastRead: readonly PageRef[] = [];

const packed = (pages: readonly PageRef[]): Uint8Array => {
  const form = packedForms.get(pages) ?? packRefs(pages);
  packedForms.set(pages, form);
  return form;
};

const unpacked = (form: Uint8Array): readonly PageRef[] => {
  if (Buffer.compare(form, packed(lastRead)) === 0) return lastRead;
  lastRead = unpackRefs(form);
  packedForms.set(lastRead, form);
  return lastRead;
};

const pageRefs: Codec<readonly PageRef[]> = {
  read: (stored) => unpacked(stored as Uint8Array),
  write: packed,
  signed: packed,
};

/** How heads are stored and signed. */
export const VAULT_HEAD = signedKind({
  domain: 'vault-head',
  partition: 'vault',
  sk: HEAD.sk,
  keyOf: () => HEAD,
  revisionOf: ({ revision }) => revision,
  withSignature: true,
  fields: {
    revision: number,
    /** The vault key version that new boxes are encrypted to. */
    keyVersion: number,
    pages: pageRefs,
    count: number,
    /** Total size of the current values, in bytes. */
    bytes: number,
    /** The highest number of any value of any secret so far. */
    highest: number,
    /** New values get numbers above this one, because a restored earlier revision does not contain the latest numbers. */
    reservedUpTo: number,
    /** When this revision was created: ISO 8601 in UTC. */
    changedAt: text,
    changedBy: text,
  },
  optional: {
    /** When an administrator stopped serving secrets (ISO 8601), who, and why; absent while the vault serves secrets. */
    stoppedAt: text,
    stoppedBy: text,
    stoppedReason: text,
  },
});

/** The root of the vault's tree: one revision of all its content. */
export interface VaultHead extends RowOf<typeof VAULT_HEAD> {
  /** Absent before the head is signed. */
  readonly signature?: Uint8Array;
}

/** Whether no page contains a value that is encrypted to an earlier key pair. */
export const isReencrypted = ({ keyVersion, pages }: Pick<VaultHead, 'keyVersion' | 'pages'>): boolean =>
  pages.every((page) => page.keyVersion >= keyVersion);

/** A head that another one replaced, at `replacedAt` (ISO 8601 in UTC). */
export interface Revision extends VaultHead {
  readonly replacedAt: string;
}

/** How earlier heads are signed: as the head, although their rows have other keys. */
export const VAULT_REVISION: SignedKind<VaultHead> = {
  ...VAULT_HEAD,
  sk: REVISION,
  storedAt: ({ revision }) => revisionKey(revision),
};

/** A page or key pair that a head names is gone, because the head is outdated. */
export class StaleHeadError extends CuevaultError {
  constructor() {
    super('unavailable', 'The vault changed while it was being read. Try again.');
  }
}

/**
 * The current head, strongly consistent, or undefined before the vault's first key. Errors: `integrity`, `unavailable`.
 */
export const findHead = (table: Table): Promise<VaultHead | undefined> => readRow(table, VAULT_HEAD, HEAD);

/** The current head, strongly consistent. Errors: `integrity`; `unavailable`, also before the vault's first key. */
export const readHead = async (table: Table): Promise<VaultHead> => {
  const head = await findHead(table);
  if (head === undefined) {
    throw new CuevaultError('unavailable', 'The vault is still being set up. Try again shortly.');
  }
  return head;
};

/**
 * Restarts a change if what it did not find may have been removed after its head was read: key pairs and the values
 * encrypted to them are removed together with a new head. Errors: `StaleHeadError` if the head has changed, `integrity`,
 * `unavailable`.
 */
export const requireUnmoved = async (table: Table, { revision }: VaultHead): Promise<void> => {
  if ((await readHead(table)).revision !== revision) throw new StaleHeadError();
};

/**
 * Signs the next head, which replaces the one that was read; that one is kept, as signed, as a revision. Fails with
 * `ConflictError` if the head has changed.
 */
export const replaceHead = async (
  table: Table,
  seen: VaultHead,
  next: VaultHead,
): Promise<readonly Write[]> => [
  await putSigned(table, VAULT_HEAD, next, { revision: seen.revision }),
  { put: { Item: { ...toItem(VAULT_HEAD, seen), ...revisionKey(seen.revision) } } },
];

/** An earlier head, or undefined if it is not kept. Errors: `integrity`, `unavailable`. */
export const earlierHead = async (table: Table, revision: number): Promise<VaultHead | undefined> => {
  const key = revisionKey(revision);
  const item = await getItem(table, key);
  return item && verifiedRow(table, VAULT_REVISION, key, item);
};

const since = (earlier: VaultHead, next: VaultHead | undefined): Revision => ({
  ...earlier,
  // A neighbor that the purge has removed was replaced long ago.
  replacedAt: next?.revision === earlier.revision + 1 ? next.changedAt : '',
});

/**
 * An earlier revision, or undefined if it is not kept; `head` is the current one. Errors: `integrity`,
 * `unavailable`.
 */
export const findRevision = async (
  table: Table,
  head: VaultHead,
  revision: number,
): Promise<Revision | undefined> => {
  const [earlier, next] = await Promise.all([
    earlierHead(table, revision),
    revision + 1 === head.revision ? head : earlierHead(table, revision + 1),
  ]);
  return earlier && since(earlier, next);
};

export interface RevisionRow {
  readonly key: Key;
  readonly revision: Revision;
}

/** All earlier revisions that still exist, oldest first, with their keys. Errors: `integrity`, `unavailable`. */
export async function* listRevisions(table: Table): AsyncGenerator<RevisionRow> {
  let last: { readonly key: Key; readonly head: VaultHead } | undefined;
  for await (const item of rowsFrom(table, PARTITIONS.vault, REVISION)) {
    const key = keyOfItem(item);
    const head = verifiedRow(table, VAULT_REVISION, key, item);
    if (last !== undefined) yield { key: last.key, revision: since(last.head, head) };
    last = { key, head };
  }
  if (last === undefined) return;
  const head = await readHead(table);
  const { revision } = last.head;
  const next = head.revision === revision + 1 ? head : await earlierHead(table, revision + 1);
  yield { key: last.key, revision: since(last.head, next) };
}
