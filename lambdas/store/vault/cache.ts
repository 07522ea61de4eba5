import { inParallel, memoizeAsync } from '../../core/parallel.ts';
import { pageFor, type VaultPage } from '../../core/vault/pages.ts';
import { byKey, type SecretEntry } from '../../core/vault/secrets.ts';
import type { VaultHead } from './head.ts';
import { readPage } from './page-rows.ts';
import type { Vault } from './vault.ts';

/** The pages of the current head, each read once, and cached as long as the newest requested head names them. */
export const createPageCache = (vault: Vault) => {
  const pages = new Map<string, Promise<VaultPage>>();
  let newest = 0;
  let sorted: { readonly revision: number; readonly entries: readonly SecretEntry[] } | undefined;

  const noteHead = (head: VaultHead) => {
    if (head.revision <= newest) return;
    newest = head.revision;
    const named = new Set(head.pages.map(({ id }) => id));
    for (const id of pages.keys()) if (!named.has(id)) pages.delete(id);
    sorted = undefined;
  };
  // A head older than the newest comes from a slow reader; its pages are not cached.
  const memoryFor = (head: VaultHead) => (head.revision === newest ? pages : new Map(pages));

  return {
    /** All secrets of a head, by key. */
    all: async (head: VaultHead): Promise<readonly SecretEntry[]> => {
      noteHead(head);
      if (sorted?.revision === head.revision) return sorted.entries;
      const memory = memoryFor(head);
      const read = await inParallel(head.pages, (ref) =>
        memoizeAsync(memory, ref.id, () => readPage(vault, ref)),
      );
      const entries = read.flatMap((page) => page.entries).sort(byKey);
      if (head.revision === newest) sorted = { revision: head.revision, entries };
      return entries;
    },
    /** The secret with a key; reads one page at most. */
    one: async (head: VaultHead, key: string): Promise<readonly SecretEntry[]> => {
      noteHead(head);
      const ref = pageFor(head.pages, key);
      const page = await memoizeAsync(memoryFor(head), ref.id, () => readPage(vault, ref));
      return page.entries.filter((entry) => entry.key === key);
    },
  };
};
