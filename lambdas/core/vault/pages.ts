import { createHash } from 'node:crypto';
import { LIMITS } from '../../../contract/limits.ts';
import { CuevaultError } from '../errors.ts';
import { attributeBytes } from '../item-size.ts';
import type { SecretEntry } from './secrets.ts';

// The vault's secrets lie in pages by extendible hashing (Fagin et al., 1979): the page whose prefix starts the hash
// of a key holds that key, and a page that grows too large becomes two.

/** A page of the vault: all secrets whose key's hash starts with `prefix`, a text of 0 and 1. */
export interface Page {
  readonly prefix: string;
  readonly entries: readonly SecretEntry[];
}

/** Below so many pages they split early, so that a change rewrites little and a read fetches in parallel. */
const FEW_PAGES = 64;
const COMFORTABLE_BYTES = 128 * 1024;
/** DynamoDB stores at most 400 KB; a page beyond this is split whatever the number of pages. */
const LARGEST_BYTES = 350 * 1024;
/** Keys of the item and names of its attributes. */
const PAGE_OVERHEAD = 256;

/** SHA-256 of a key, as a text of 256 zeros and ones. */
export const hashBits = (key: string): string =>
  BigInt(`0x${createHash('sha256').update(key).digest('hex')}`)
    .toString(2)
    .padStart(256, '0');

/** The page that holds a key, or would: one of them always does. */
export const pageOf = <P extends { readonly prefix: string }>(pages: readonly P[], key: string): P => {
  const bits = hashBits(key);
  const page = pages.find(({ prefix }) => bits.startsWith(prefix));
  if (page === undefined) throw new Error('The pages of the vault do not cover every key.');
  return page;
};

type Row = readonly unknown[];

/** An entry as it is stored: without attribute names, which would take a fifth of a page. */
export const toRow = (entry: SecretEntry): Row => [
  entry.key,
  entry.secretId,
  entry.tags,
  entry.number,
  entry.highest,
  entry.keyVersion,
  entry.bytes,
  entry.box,
  entry.createdAt,
  entry.createdBy,
  entry.changedAt,
  entry.changedBy,
];

/** An entry as `toRow` wrote it. */
export const fromRow = (row: Row): SecretEntry => ({
  key: row[0] as string,
  secretId: row[1] as string,
  tags: row[2] as string[],
  number: row[3] as number,
  highest: row[4] as number,
  keyVersion: row[5] as number,
  bytes: row[6] as number,
  box: row[7] as Uint8Array,
  createdAt: row[8] as string,
  createdBy: row[9] as string,
  changedAt: row[10] as string,
  changedBy: row[11] as string,
});

const rowBytes = (entry: SecretEntry): number => 1 + attributeBytes(toRow(entry));

/** Bytes that a page takes as an item of DynamoDB. */
export const pageBytes = ({ prefix, entries }: Page): number =>
  entries.reduce((total, entry) => total + rowBytes(entry), PAGE_OVERHEAD + prefix.length);

interface Sized {
  readonly entry: SecretEntry;
  readonly bits: string;
  readonly bytes: number;
}

/**
 * Splits a page, again and again, until each part is small enough; `others` is the number of pages beside it. Below 64
 * pages a page may take 128 KB, from then on 350 KB.
 */
export const splitPage = ({ prefix, entries }: Page, others: number): readonly Page[] =>
  splitSized(
    prefix,
    entries.map((entry) => ({ entry, bits: hashBits(entry.key), bytes: rowBytes(entry) })),
    others,
  );

const splitSized = (prefix: string, sized: readonly Sized[], others: number): readonly Page[] => {
  const limit = others + 1 < FEW_PAGES ? COMFORTABLE_BYTES : LARGEST_BYTES;
  const size = sized.reduce((total, { bytes }) => total + bytes, PAGE_OVERHEAD + prefix.length);
  if (sized.length <= 1 || size <= limit) return [{ prefix, entries: sized.map(({ entry }) => entry) }];
  const half = (bit: '0' | '1', beside: number) =>
    splitSized(
      prefix + bit,
      sized.filter(({ bits }) => bits[prefix.length] === bit),
      beside,
    );
  const left = half('0', others + 1);
  return [...left, ...half('1', others + left.length)];
};

/** How many secrets there are, and how many bytes of values (UTF-8). */
export interface Tally {
  readonly count: number;
  readonly bytes: number;
}

/** Refuses what would make a vault too large; one that is already may always shrink. Errors: `vault_full`. */
export const checkRoom = (now: Tally, next: Tally): void => {
  const fits =
    next.count <= Math.max(now.count, LIMITS.vaultSecrets) &&
    next.bytes <= Math.max(now.bytes, LIMITS.vaultBytes);
  if (fits) return;
  throw new CuevaultError(
    'vault_full',
    `The vault would hold ${next.count} secrets with ${next.bytes} bytes of values; it holds at most ${LIMITS.vaultSecrets} and ${LIMITS.vaultBytes}. Delete what is no longer needed.`,
  );
};

/** What some pages hold. */
export const tally = (pages: readonly Page[]): Tally => {
  const entries = pages.flatMap((page) => page.entries);
  return { count: entries.length, bytes: entries.reduce((total, { bytes }) => total + bytes, 0) };
};
