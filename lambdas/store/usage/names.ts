import { chosenFrom, digestOf } from '../../core/vault/secrets.ts';
import type { Table } from '../table.ts';
import { readHead, StaleHeadError } from '../vault/head.ts';
import { earlierHead } from '../vault/history.ts';
import { allEntries } from '../vault/locations.ts';
import { vaultIn } from '../vault/vault.ts';
import type { SecretRead } from './entries.ts';
import { keepNames, writeNames } from './secret-reads.ts';

/** Whether the secrets of a digest were already known, have just been written, or can no longer be found. */
export type Named = 'known' | 'written' | 'unresolved';

/** The ids of the secrets of a read, or undefined if no secrets in the vault match its digest any more. */
const secretsOf = async (
  table: Table,
  { environment, digest, revision, filter, restriction }: SecretRead,
): Promise<string[] | undefined> => {
  const vault = vaultIn(table, environment, true);
  const head = await readHead(vault);
  const headThen = head.revision === revision ? head : await earlierHead(vault, revision);
  if (headThen === undefined) return undefined;
  const chosen = chosenFrom(await allEntries(vault, headThen), filter, restriction);
  return digestOf(chosen) === digest ? chosen.map(({ secretId }) => secretId) : undefined;
};

/**
 * Makes sure that the secrets of a read's digest are recorded. If they are not, they are derived from the revision,
 * the filter and the restriction of the read. Errors: `unavailable`.
 */
export const nameSecrets = async (table: Table, read: SecretRead, at: Date): Promise<Named> => {
  if (await keepNames(table, read.digest, at)) return 'known';
  try {
    const secretIds = await secretsOf(table, read);
    if (secretIds === undefined) return 'unresolved';
    await writeNames(table, read.digest, secretIds, at);
    return 'written';
  } catch (error) {
    // The pages of a revision are deleted after seven days.
    if (error instanceof StaleHeadError) return 'unresolved';
    throw error;
  }
};
