import { createHash } from 'node:crypto';

export interface EncryptedValue {
  /** Number of the value: assigned when it is encrypted, never used again. */
  readonly number: number;
  /** Version of the vault key pair that the box is encrypted to. */
  readonly keyVersion: number;
  readonly box: Uint8Array;
  /** Length of the plain value, in bytes of UTF-8. */
  readonly bytes: number;
  /** ISO 8601 in UTC. */
  readonly changedAt: string;
  readonly changedBy: string;
}

/** A value that another one replaced, at `replacedAt` (ISO 8601 in UTC). */
export interface EarlierValue extends EncryptedValue {
  readonly replacedAt: string;
}

/** Names an earlier value of a secret: its row must have this digest. */
export interface EarlierRef {
  readonly number: number;
  readonly keyVersion: number;
  /** SHA-256, see `valueDigest`. */
  readonly digest: Uint8Array;
}

/** What operators record about a secret and its rotation. */
export interface SecretNotes {
  readonly note?: string;
  /** The day (UTC) by which it needs a new value, `YYYY-MM-DD`. */
  readonly rotateBy?: string;
  /** The credentials in the values up to the number `upTo` no longer work outside; who recorded it, and when. */
  readonly switchedOff?: { readonly upTo: number; readonly at: string; readonly by: string };
}

/** A secret in a page of the vault, with its current value. */
export interface SecretEntry extends EncryptedValue, SecretNotes {
  readonly key: string;
  /** Random for each incarnation of a key: a secret that is created again gets a new one. */
  readonly secretId: string;
  readonly tags: readonly string[];
  /** The highest number of any value of this secret so far. */
  readonly highest: number;
  /** The values before the current one, most recently replaced first. */
  readonly earlier: readonly EarlierRef[];
  readonly createdAt: string;
  readonly createdBy: string;
}

/** Whether a secret has all the tags. */
export const carriesAll = (entry: Pick<SecretEntry, 'tags'>, tags: readonly string[]): boolean =>
  tags.every((tag) => entry.tags.includes(tag));

/** Compares entries by key, in code units, so that the order is the same on every machine. */
export const byKey = (a: { readonly key: string }, b: { readonly key: string }): number =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : 0;

/** What a caller requested, and what it may see. */
export interface SecretFilter {
  readonly key?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Whether finding nothing is an error; with `key` it always is. @default false */
  readonly nonEmpty?: boolean | undefined;
}

/** The secrets that match a filter and a key's restriction, in order. */
export const chosenFrom = (
  entries: readonly SecretEntry[],
  { key, tags = [] }: SecretFilter,
  restriction: readonly string[],
): readonly SecretEntry[] => {
  const wanted = [...restriction, ...tags];
  if (key === undefined && wanted.length === 0) return entries;
  return entries.filter((entry) => (key === undefined || entry.key === key) && carriesAll(entry, wanted));
};

/** SHA-256 of the released keys and the ids of their secrets, ordered by key. */
export const digestOf = (entries: readonly SecretEntry[]): string => {
  let names = '';
  for (const { key, secretId } of entries) names += `${key}=${secretId}\n`;
  return createHash('sha256').update(names).digest('hex');
};
