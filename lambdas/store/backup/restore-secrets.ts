import type { BackupPage, SecretRecord } from '../../../contract/shapes/backup.ts';
import { CuevaultError, IntegrityError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { tally } from '../../core/vault/page-writes.ts';
import { type PageRef, pageFor, type VaultPage } from '../../core/vault/pages.ts';
import type { EarlierValue, SecretEntry } from '../../core/vault/secrets.ts';
import { earlierRef } from '../../core/vault/values.ts';
import { auditChange, type Change } from '../audit.ts';
import { importEntries } from '../secrets/import.ts';
import { changeVault } from '../vault/changes.ts';
import { findVaultHead, StaleHeadError } from '../vault/head.ts';
import { entriesByKey, withEntries } from '../vault/locations.ts';
import { readPage } from '../vault/page-rows.ts';
import { keepValue } from '../vault/values.ts';
import type { Vault } from '../vault/vault.ts';
import { findKeyPair } from '../vault-keys/key-pairs.ts';
import { needsRecipient, type Outcome } from './restored.ts';

/** Values saved after the backup had higher numbers; those of values saved after the restore must not repeat them. */
const SKIPPED_NUMBERS = 1_000;

const bytesOf = (base64: string) => Buffer.from(base64, 'base64');

const earlierOf = ({ earlier }: SecretRecord): EarlierValue[] =>
  earlier.map((value) => ({ ...value, box: bytesOf(value.box) }));

const entryOf = ({ type: _, environment, ...record }: SecretRecord): SecretEntry => ({
  ...record,
  box: bytesOf(record.box),
  earlier: earlierOf({ type: 'secret', environment, ...record }).map((value) =>
    earlierRef(record.secretId, value),
  ),
});

/** Requires that this vault has the key pairs of these values. */
const requireKeyPairs = async (
  vault: Vault,
  { encryptedTo }: BackupPage,
  records: readonly SecretRecord[],
) => {
  if ((await findVaultHead(vault)) === undefined)
    throw new CuevaultError(
      'environment_not_found',
      `The backup has secrets of the environment "${vault.environment}". Add it here, then restore again.`,
    );
  const versions = new Set(records.flatMap((record) => [record, ...record.earlier]).map((v) => v.keyVersion));
  for (const version of versions) {
    const key = encryptedTo.find(
      ({ environment, keyVersion }) => environment === vault.environment && keyVersion === version,
    );
    const pair = await findKeyPair(vault, version);
    const isOwn =
      key?.stage === vault.settings.stage &&
      pair !== undefined &&
      Buffer.from(pair.publicKey).toString('base64') === key.publicKey;
    if (isOwn) continue;
    throw needsRecipient('The values in this backup are encrypted to another vault.');
  }
};

const isSame = (one: SecretEntry, other: SecretEntry) =>
  one.secretId === other.secretId && one.number === other.number && one.changedAt === other.changedAt;

/** A page; one that is lost or not genuine has no entries. */
const genuinePage = async (vault: Vault, ref: PageRef): Promise<VaultPage> => {
  try {
    return await readPage(vault, ref);
  } catch (error) {
    if (error instanceof StaleHeadError || error instanceof IntegrityError) return { ...ref, entries: [] };
    throw error;
  }
};

/** Restores secrets whose keys do not exist, in one revision of the vault; the values stay sealed as they are. */
export const restoreSecrets = async (
  vault: Vault,
  change: Change,
  page: BackupPage,
  records: readonly SecretRecord[],
): Promise<Outcome[]> => {
  if (records.length === 0) return [];
  await requireKeyPairs(vault, page, records);
  const entries = records.map(entryOf);
  return changeVault(vault, change, async (head) => {
    const pages = await inParallel(head.pages, (ref) => genuinePage(vault, ref));
    const before = [...new Set(entries.map(({ key }) => pageFor(pages, key)))];
    const known = entriesByKey(before);
    const result = entries.map((entry): Outcome => {
      const found = known.get(entry.key);
      if (found === undefined) return 'written';
      return isSame(found, entry) ? 'unchanged' : { kind: 'secret', id: entry.secretId, name: entry.key };
    });
    const added = entries.filter(({ key }) => !known.has(key));
    if (added.length === 0) return { kept: result };
    const earlier = records
      .filter(({ key }) => !known.has(key))
      .flatMap((record) => earlierOf(record).map((value) => ({ secretId: record.secretId, value })));
    // Before the entries that name them.
    await inParallel(earlier, ({ secretId, value }) => keepValue(vault, secretId, value));
    const after = withEntries(before, added);
    const highest = Math.max(...added.map((entry) => entry.highest));
    const [audit, ...others] = importEntries(
      { created: added, updated: [] },
      {},
      ({ secretId, key, number, tags }) => ({ secretId, key, number, tags }),
    );
    return {
      before,
      after,
      audit,
      result,
      head: {
        ...tally([...pages.filter((page) => !before.includes(page)), ...after]),
        reservedUpTo: Math.max(head.reservedUpTo, highest + SKIPPED_NUMBERS),
      },
      writes: others.map((entry) => auditChange(vault, change, entry)),
    };
  });
};
