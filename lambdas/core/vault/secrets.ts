import { hash } from 'node:crypto';
import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';

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
export type SecretNotes = Pick<ReplyTo<'secrets-get'>['secret'], 'note' | 'rotateBy' | 'switchedOff'>;

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

/** What a caller requested. */
export type SecretFilter = Pick<InputOf<typeof vaultGetSecrets.body>, 'key' | 'tags' | 'nonEmpty'>;

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
  return hash('sha256', entries.map(({ key, secretId }) => `${key}=${secretId}\n`).join(''));
};
