import { PARTITIONS } from '../../../contract/table.ts';
import { IntegrityError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import type { EarlierRef, EarlierValue, SecretEntry } from '../../core/vault/secrets.ts';
import { valueDigest } from '../../core/vault/values.ts';
import { keyOfItem, rowsFrom } from '../queries.ts';
import { getItem, type Item, type Key, putItem } from '../table.ts';
import { deleteItem } from '../updates.ts';
import type { Vault } from './vault.ts';

// A row contains one replaced value and never changes; its key contains the beginning of its digest. A re-encrypted value
// is another row. Only rows whose digests are in the secret's entry count.

const DIGEST_IN_KEY = 16;

export const valuesPartition = ({ environment }: Vault, secretId: string): string =>
  `${PARTITIONS.secret}${environment}#${secretId}`;

const valueKey = (vault: Vault, secretId: string, number: number, digest: Uint8Array): Key => ({
  pk: valuesPartition(vault, secretId),
  sk: `VALUE#${String(number).padStart(9, '0')}#${Buffer.from(digest.subarray(0, DIGEST_IN_KEY)).toString('base64url')}`,
});

const verified = (secretId: string, { digest }: EarlierRef, key: Key, item: Item): EarlierValue => {
  const { number, keyVersion, box, bytes, changedAt, changedBy, replacedAt } =
    item as unknown as EarlierValue;
  // What else the row has is not in the digest.
  const value = { number, keyVersion, box, bytes, changedAt, changedBy, replacedAt };
  if (!(box instanceof Uint8Array) || Buffer.compare(valueDigest(secretId, value), digest) !== 0)
    throw new IntegrityError(key, 'it is not the value that the secret names');
  return value;
};

/** Keeps an earlier value of a secret, before the change that names it. */
export const keepValue = (vault: Vault, secretId: string, value: EarlierValue): Promise<void> =>
  putItem(vault, { ...valueKey(vault, secretId, value.number, valueDigest(secretId, value)), ...value });

/** An earlier value that a secret names, or undefined if it is gone. */
export const findValue = async (vault: Vault, secretId: string, ref: EarlierRef) => {
  const key = valueKey(vault, secretId, ref.number, ref.digest);
  const item = await getItem(vault, key);
  return item === undefined ? undefined : verified(secretId, ref, key, item);
};

const rowsOf = (vault: Vault, secretId: string) =>
  Array.fromAsync(rowsFrom(vault, valuesPartition(vault, secretId)));

/** The values that a secret can be rolled back to, most recently replaced first. */
export const earlierValues = async (
  vault: Vault,
  { secretId, earlier }: Pick<SecretEntry, 'secretId' | 'earlier'>,
): Promise<EarlierValue[]> => {
  if (earlier.length === 0) return [];
  const rows = new Map((await rowsOf(vault, secretId)).map((item) => [item.sk, item]));
  return earlier.flatMap((ref) => {
    const key = valueKey(vault, secretId, ref.number, ref.digest);
    const item = rows.get(key.sk);
    return item === undefined ? [] : [verified(secretId, ref, key, item)];
  });
};

const removeRows = async (vault: Vault, secretId: string, isRemoved: (row: Item) => boolean) => {
  const rows = (await rowsOf(vault, secretId)).filter(isRemoved);
  await inParallel(rows, (row) => deleteItem(vault, keyOfItem(row)));
};

/**
 * Removes earlier values of a secret that its entry does not name. Values encrypted to an older key pair stay, because
 * an earlier revision may name them; they are removed with the key pair.
 */
export const trimValues = (
  vault: Vault,
  { secretId, earlier }: Pick<SecretEntry, 'secretId' | 'earlier'>,
  keyVersion: number,
): Promise<void> => {
  const named = new Set(earlier.map(({ number, digest }) => valueKey(vault, secretId, number, digest).sk));
  return removeRows(
    vault,
    secretId,
    (row) => !named.has(String(row.sk)) && Number(row.keyVersion) >= keyVersion,
  );
};

/** Removes earlier values that are encrypted to these key pairs. */
export const removeValuesOf = (vault: Vault, secretId: string, keyVersions: readonly number[]) =>
  removeRows(vault, secretId, (row) => keyVersions.includes(Number(row.keyVersion)));

/** Removes all earlier values of a secret. */
export const removeValues = (vault: Vault, secretId: string): Promise<void> =>
  removeRows(vault, secretId, () => true);
