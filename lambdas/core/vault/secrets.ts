import { createHash } from 'node:crypto';
import { SECRET_KEY_PATTERN } from '../../../contract/fields/patterns.ts';
import { LIMITS, utf8Bytes } from '../../../contract/limits.ts';
import { assertValid } from '../errors.ts';

/** A value, sealed. */
export interface SealedValue {
  /** Given when the value was sealed, never given again. */
  readonly number: number;
  /** Version of the vault key pair that the box is sealed to. */
  readonly keyVersion: number;
  readonly box: Uint8Array;
  /** Length of the value itself, in bytes of UTF-8. */
  readonly bytes: number;
  /** ISO 8601 in UTC. */
  readonly changedAt: string;
  readonly changedBy: string;
}

/** A value that another one replaced, at `replacedAt` (ISO 8601 in UTC). */
export interface EarlierValue extends SealedValue {
  readonly replacedAt: string;
}

/** Names an earlier value of a secret: the row that holds it must have this digest. */
export interface EarlierRef {
  readonly number: number;
  readonly keyVersion: number;
  /** SHA-256, see `valueDigest`. */
  readonly digest: Uint8Array;
}

/** A secret as a page of the vault holds it, with its current value. */
export interface SecretEntry extends SealedValue {
  readonly key: string;
  /** Random for each incarnation of a key: a secret created anew has another one. */
  readonly secretId: string;
  readonly tags: readonly string[];
  /** The highest number that any value of this secret was given. */
  readonly highest: number;
  /** The last values before the current one, the one replaced last first. */
  readonly earlier: readonly EarlierRef[];
  readonly createdAt: string;
  readonly createdBy: string;
}

/** What operators see of a secret: everything but its value. */
export type SecretSummary = Omit<SecretEntry, 'box' | 'bytes' | 'keyVersion' | 'highest' | 'earlier'>;

/** Everything about a secret but its value. */
export const summaryOf = ({
  box: _box,
  bytes: _bytes,
  keyVersion: _version,
  highest: _highest,
  earlier: _earlier,
  ...rest
}: SecretEntry): SecretSummary => rest;

/** The current value of a secret as an earlier one, once another value replaces it at `at`. */
export const replacedValue = (entry: SecretEntry, at: Date): EarlierValue => {
  const { number, keyVersion, box, bytes, changedAt, changedBy } = entry;
  return { number, keyVersion, box, bytes, changedAt, changedBy, replacedAt: at.toISOString() };
};

/** SHA-256 of all that is kept of an earlier value, and of the secret that it belongs to. */
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

/** Checks the name of a secret. Errors: `invalid_request`. */
export const checkSecretKey = (key: string): void => {
  assertValid(
    key !== '' && utf8Bytes(key) <= LIMITS.secretKeyBytes,
    `"key" must be 1 to ${LIMITS.secretKeyBytes} bytes of UTF-8.`,
  );
  assertValid(SECRET_KEY_PATTERN.test(key), '"key" must not contain "=" or control characters.');
  assertValid(key.isWellFormed(), '"key" must be well-formed Unicode.');
};

/** Checks the value of a secret. Errors: `invalid_request`. */
export const checkSecretValue = (value: string): void => {
  assertValid(
    utf8Bytes(value) <= LIMITS.secretValueBytes,
    `"value" must be at most ${LIMITS.secretValueBytes} bytes of UTF-8.`,
  );
  assertValid(value.isWellFormed(), '"value" must be well-formed Unicode.');
};

/** Checks what is to be imported: each pair, and that no key stands there twice. Errors: `invalid_request`. */
export const checkImport = (pairs: readonly { readonly key: string; readonly value: string }[]): void => {
  assertValid(pairs.length > 0, 'There is nothing to import.');
  const seen = new Set<string>();
  for (const { key, value } of pairs) {
    checkSecretKey(key);
    checkSecretValue(value);
    assertValid(!seen.has(key), `The key "${key}" stands there more than once; leave one of them out.`);
    seen.add(key);
  }
};

/** Whether a secret carries every one of the tags. */
export const carriesAll = (entry: Pick<SecretEntry, 'tags'>, tags: readonly string[]): boolean =>
  tags.every((tag) => entry.tags.includes(tag));

/** Orders entries by key, in code units: the same on every machine. */
export const byKey = (a: { readonly key: string }, b: { readonly key: string }): number =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
