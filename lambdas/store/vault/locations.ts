import { CuevaultError } from '../../core/errors.ts';
import { pageFor, type VaultPage } from '../../core/vault/pages.ts';
import { byKey, type SecretEntry } from '../../core/vault/secrets.ts';
import type { VaultHead } from './head.ts';
import { readPage, readPages } from './page-rows.ts';
import type { Vault } from './vault.ts';

export interface Location {
  readonly page: VaultPage;
  readonly entry: SecretEntry;
}

export const secretNotFound = (secretId: string) =>
  new CuevaultError('secret_not_found', `There is no secret with the id "${secretId}".`);

export const secretKeyTaken = (key: string) =>
  new CuevaultError(
    'secret_key_taken',
    `The key "${key}" is in use by another secret. Choose another key, or change or delete that secret.`,
  );

/** The page for a key. */
export const pageOfKey = (vault: Vault, head: VaultHead, key: string): Promise<VaultPage> =>
  readPage(vault, pageFor(head.pages, key));

/** The secrets of pages, by their keys. */
export const entriesByKey = (pages: readonly VaultPage[]): Map<string, SecretEntry> =>
  new Map(pages.flatMap(({ entries }) => entries.map((entry) => [entry.key, entry])));

/** All secrets of a revision, by key. */
export const allEntries = async (vault: Vault, head: Pick<VaultHead, 'pages'>): Promise<SecretEntry[]> =>
  (await readPages(vault, head.pages)).flatMap(({ entries }) => entries).sort(byKey);

/** Finds a secret by its id. Pages are sorted by key, not by id, so this reads all of them. */
export const locationOf = async (vault: Vault, head: VaultHead, secretId: string): Promise<Location> => {
  for (const page of await readPages(vault, head.pages)) {
    const entry = page.entries.find((one) => one.secretId === secretId);
    if (entry !== undefined) return { page, entry };
  }
  throw secretNotFound(secretId);
};

/** The pages with these entries, instead of those with the same keys. */
export const withEntries = (pages: readonly VaultPage[], entries: readonly SecretEntry[]): VaultPage[] => {
  const keys = new Set(entries.map(({ key }) => key));
  const added = Map.groupBy(entries, ({ key }) => pageFor(pages, key));
  return pages.map((page) => ({
    ...page,
    entries: [...page.entries.filter(({ key }) => !keys.has(key)), ...(added.get(page) ?? [])],
  }));
};
