import { LIMITS, utf8Bytes } from '../../../contract/limits.ts';
import { CuevaultError } from '../errors.ts';
import { randomBase62 } from '../identifiers.ts';
import { DIGEST_BYTES, hashBits, LENGTH_BYTES, type Row, type VaultPage } from './pages.ts';
import type { SecretEntry, SecretNotes } from './secrets.ts';

/** With fewer pages than this, they split early, so that a change rewrites little and a read fetches in parallel. */
const FEW_PAGES = 64;
const COMFORTABLE_BYTES = 32 * 1024;
/** DynamoDB stores at most 400 KB; a page larger than this is always split. */
const LARGEST_BYTES = 350 * 1024;
/** Size of the item's keys and attribute names. */
const PAGE_OVERHEAD = 256;

const notesOf = ({ note, rotateBy, switchedOff }: SecretEntry): [] | [SecretNotes] =>
  (note ?? rotateBy ?? switchedOff) === undefined ? [] : [{ note, rotateBy, switchedOff }];

const toRow = (entry: SecretEntry): Row => [
  entry.key,
  entry.secretId,
  entry.tags,
  entry.number,
  entry.highest,
  entry.keyVersion,
  entry.bytes,
  entry.box.length,
  entry.createdAt,
  entry.createdBy,
  entry.changedAt,
  entry.changedBy,
  entry.earlier.map(({ number, keyVersion }) => [number, keyVersion]),
  ...notesOf(entry),
];

/**
 * The stored form of a page: the length of the JSON text (4 bytes, big-endian), the JSON text, then for each entry its
 * box and the digests of its earlier values. It contains a random text, so each time it has another digest. Readers hash these bytes before they parse them.
 */
export const encodePage = ({ prefix, entries }: VaultPage): Uint8Array => {
  const text = Buffer.from(JSON.stringify([prefix, entries.map(toRow), randomBase62(11)]));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  const binary = entries.flatMap(({ box, earlier }) => [box, ...earlier.map(({ digest }) => digest)]);
  return Buffer.concat([length, text, ...binary]);
};

const rowBytes = (entry: SecretEntry) =>
  1 + utf8Bytes(JSON.stringify(toRow(entry))) + entry.box.length + DIGEST_BYTES * entry.earlier.length;

interface Sized {
  readonly entry: SecretEntry;
  readonly bits: string;
  readonly bytes: number;
}

/**
 * Splits a page repeatedly until each part is small enough; `others` is the number of other pages. With fewer than 64
 * pages, a page may take 32 KB, otherwise 350 KB.
 */
export const splitPage = ({ prefix, entries }: VaultPage, others: number): readonly VaultPage[] =>
  splitSized(
    prefix,
    entries.map((entry) => ({ entry, bits: hashBits(entry.key), bytes: rowBytes(entry) })),
    others,
  );

const splitSized = (prefix: string, sized: readonly Sized[], others: number): readonly VaultPage[] => {
  const limit = others + 1 < FEW_PAGES ? COMFORTABLE_BYTES : LARGEST_BYTES;
  const size = sized.reduce((total, { bytes }) => total + bytes, PAGE_OVERHEAD + prefix.length);
  if (sized.length <= 1 || size <= limit) return [{ prefix, entries: sized.map(({ entry }) => entry) }];
  const half = (bit: '0' | '1', otherPages: number) =>
    splitSized(
      prefix + bit,
      sized.filter(({ bits }) => bits[prefix.length] === bit),
      otherPages,
    );
  const left = half('0', others + 1);
  return [...left, ...half('1', others + left.length)];
};

/** Number of secrets, and of bytes of their values (UTF-8). */
export interface Tally {
  readonly count: number;
  readonly bytes: number;
}

/** Rejects a change that makes the vault too large; a vault beyond the limits can still shrink. */
export const checkRoom = (now: Tally, next: Tally): void => {
  const fits =
    next.count <= Math.max(now.count, LIMITS.vaultSecrets) &&
    next.bytes <= Math.max(now.bytes, LIMITS.vaultBytes);
  if (fits) return;
  throw new CuevaultError(
    'vault_full',
    `The vault would contain ${next.count} secrets with ${next.bytes} bytes of values; the limits are ${LIMITS.vaultSecrets} and ${LIMITS.vaultBytes}. Delete secrets that are no longer needed.`,
  );
};

export const tally = (pages: readonly VaultPage[]): Tally => {
  const entries = pages.flatMap((page) => page.entries);
  return { count: entries.length, bytes: entries.reduce((total, { bytes }) => total + bytes, 0) };
};
