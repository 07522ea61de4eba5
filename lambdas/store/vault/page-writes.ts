import { encodePage } from '../../core/vault/page-writes.ts';
import { type PageRef, pageDigest, type VaultPage } from '../../core/vault/pages.ts';
import { type Item, putItem } from '../table.ts';
import type { Write } from '../transactions.ts';
import { deleteItem } from '../updates.ts';
import { pageKey } from './page-rows.ts';
import type { Vault } from './vault.ts';

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
    id: pageDigest(body),
    keyVersion: versions.reduce((oldest, version) => Math.min(oldest, version), keyVersion),
  };
  return { ref, body };
};

const toItem = (vault: Vault, { ref, body }: NewPage): Item => ({ ...pageKey(vault, ref.id), body });

/** Writes a page under its name. Pages never change. */
export const writePage = (vault: Vault, page: NewPage): Promise<void> => putItem(vault, toItem(vault, page));

/** Writes a page in a transaction. */
export const addPage = (vault: Vault, page: NewPage): Write => ({ put: { Item: toItem(vault, page) } });

/** Removes a page. */
export const deletePage = (vault: Vault, id: string): Promise<void> => deleteItem(vault, pageKey(vault, id));
