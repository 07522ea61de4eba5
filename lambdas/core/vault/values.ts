import { createHash } from 'node:crypto';
import { LIMITS } from '../../../contract/limits.ts';
import type { EarlierRef, EarlierValue, SecretEntry } from './secrets.ts';

/** A secret as operators see it, without its value. */
export interface SecretSummary
  extends Omit<SecretEntry, 'box' | 'bytes' | 'keyVersion' | 'highest' | 'earlier'> {
  readonly environment: string;
}

export const summaryOf = (
  { environment }: Pick<SecretSummary, 'environment'>,
  {
    box: _box,
    bytes: _bytes,
    keyVersion: _version,
    highest: _highest,
    earlier: _earlier,
    ...rest
  }: SecretEntry,
): SecretSummary => ({ environment, ...rest });

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

/** Whether a secret has a new value, and nobody recorded that the credential in the one before is disabled. */
export const isRotationUnfinished = ({
  number,
  switchedOff,
}: Pick<SecretSummary, 'number' | 'switchedOff'>): boolean =>
  number > 1 && (switchedOff?.upTo ?? 0) < number - 1;
