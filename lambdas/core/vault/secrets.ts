import { createHash } from 'node:crypto';
import { LIMITS } from '../../../contract/limits.ts';

/** An encrypted value. */
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

/** A secret as operators see it, without its value. */
export type SecretSummary = Omit<SecretEntry, 'box' | 'bytes' | 'keyVersion' | 'highest' | 'earlier'>;

/** The summary of a secret. */
export const summaryOf = ({
  box: _box,
  bytes: _bytes,
  keyVersion: _version,
  highest: _highest,
  earlier: _earlier,
  ...rest
}: SecretEntry): SecretSummary => rest;

/** The current value of a secret as an earlier value, when another value replaces it at `at`. */
export const replacedValue = (entry: SecretEntry, at: Date): EarlierValue => {
  const { number, keyVersion, box, bytes, changedAt, changedBy } = entry;
  return { number, keyVersion, box, bytes, changedAt, changedBy, replacedAt: at.toISOString() };
};

/** SHA-256 of an earlier value as stored and the secret that it belongs to. */
export const valueDigest = (secretId: string, value: EarlierValue): Uint8Array => {
  const { number, keyVersion, bytes, changedAt, changedBy, replacedAt } = value;
  const fields = JSON.stringify([secretId, number, keyVersion, bytes, changedAt, changedBy, replacedAt]);
  return createHash('sha256').update(fields).update('\n').update(value.box).digest();
};

/** Names an earlier value of a secret. */
export const earlierRef = (secretId: string, value: EarlierValue): EarlierRef => ({
  number: value.number,
  keyVersion: value.keyVersion,
  digest: valueDigest(secretId, value),
});

/** The earlier values of a secret after `number` has replaced its current value at `at`. */
export const earlierAfter = (entry: SecretEntry, number: number, at: Date): readonly EarlierRef[] =>
  [
    earlierRef(entry.secretId, replacedValue(entry, at)),
    ...entry.earlier.filter((each) => each.number !== number),
  ].slice(0, LIMITS.earlierValues);

/** Whether a secret has all the tags. */
export const carriesAll = (entry: Pick<SecretEntry, 'tags'>, tags: readonly string[]): boolean =>
  tags.every((tag) => entry.tags.includes(tag));

/** Compares entries by key, in code units, so that the order is the same on every machine. */
export const byKey = (a: { readonly key: string }, b: { readonly key: string }): number =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : 0;

/** Whether a secret has a new value, and nobody recorded that the credential in the one before is disabled. */
export const isRotationUnfinished = ({
  number,
  switchedOff,
}: Pick<SecretSummary, 'number' | 'switchedOff'>): boolean =>
  number > 1 && (switchedOff?.upTo ?? 0) < number - 1;
