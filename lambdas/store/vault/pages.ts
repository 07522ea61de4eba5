import { randomBytes } from 'node:crypto';
import { PARTITIONS } from '../../../contract/table.ts';
import { IntegrityError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import {
  decodePage,
  encodePage,
  PAGE_ID_BYTES,
  type PageRef,
  pageDigest,
  type VaultPage,
} from '../../core/vault/pages.ts';
import { getItem, type Item, type Key, putItem, type Table } from '../table.ts';
import type { Write } from '../transactions.ts';
import { deleteItem } from '../updates.ts';
import { StaleHeadError } from './head.ts';

const keyOf = (id: string): Key => ({ pk: PARTITIONS.vaultPage + id, sk: 'PAGE' });

/** A page to write. */
export interface NewPage {
  readonly ref: PageRef;
  readonly body: Uint8Array;
}

/** Names a page to write; `keyVersion` is the key version of an empty page. */
export const newPage = (page: VaultPage, keyVersion: number): NewPage => {
  const body = encodePage(page);
  const versions = page.entries.flatMap((entry) => [entry, ...entry.earlier]).map((each) => each.keyVersion);
  const ref = {
    prefix: page.prefix,
    id: randomBytes(PAGE_ID_BYTES).toString('base64url'),
    keyVersion: versions.reduce((oldest, version) => Math.min(oldest, version), keyVersion),
    digest: pageDigest(body),
  };
  return { ref, body };
};

const toItem = ({ ref, body }: NewPage): Item => ({ ...keyOf(ref.id), body });

/** Writes a page under its name. Pages never change. Errors: `unavailable`. */
export const writePage = (table: Table, page: NewPage): Promise<void> => putItem(table, toItem(page));

/** Writes a page in a transaction. */
export const addPage = (page: NewPage): Write => ({ put: { Item: toItem(page) } });

/** Removes a page. Errors: `unavailable`. */
export const deletePage = (table: Table, id: string): Promise<void> => deleteItem(table, keyOf(id));

/** Reads a page that a head names. Errors: `StaleHeadError` if it is gone, `integrity`, `unavailable`. */
export const readPage = async (table: Table, { id, digest }: PageRef): Promise<VaultPage> => {
  const key = keyOf(id);
  // A page never changes, so a replica has it or does not have it yet; reading one costs half as much.
  const item = (await getItem(table, key, 'eventually')) ?? (await getItem(table, key));
  if (item === undefined) throw new StaleHeadError();
  const { body } = item;
  if (!(body instanceof Uint8Array) || Buffer.compare(pageDigest(body), digest) !== 0) {
    throw new IntegrityError(key, 'it is not the page that the head names');
  }
  return decodePage(body);
};

/** Reads pages in parallel, in the order of their names. Errors: as `readPage`. */
export const readPages = (table: Table, refs: readonly PageRef[]): Promise<VaultPage[]> =>
  inParallel(refs, (ref) => readPage(table, ref));
