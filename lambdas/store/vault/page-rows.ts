import { PARTITIONS } from '../../../contract/table.ts';
import { IntegrityError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { decodePage, type PageRef, pageDigest, type VaultPage } from '../../core/vault/pages.ts';
import { getItem, type Key } from '../table.ts';
import { StaleHeadError } from './head.ts';
import type { Vault } from './vault.ts';

export const pageKey = ({ environment }: Vault, id: string): Key => ({
  pk: `${PARTITIONS.vaultPage}${environment}#${id}`,
  sk: 'PAGE',
});

/** Reads a page that a head names. */
export const readPage = async (vault: Vault, { id }: PageRef): Promise<VaultPage> => {
  const key = pageKey(vault, id);
  // A page never changes, so a replica has it or does not have it yet; reading one costs half as much.
  const item = (await getItem(vault, key, 'eventually')) ?? (await getItem(vault, key));
  if (item === undefined) throw new StaleHeadError();
  const { body } = item;
  if (!(body instanceof Uint8Array) || pageDigest(body) !== id)
    throw new IntegrityError(key, 'it is not the page that the head names');
  return decodePage(body);
};

/** Reads pages in parallel, in the order of their names. */
export const readPages = (vault: Vault, refs: readonly PageRef[]): Promise<VaultPage[]> =>
  inParallel(refs, (ref) => readPage(vault, ref));
