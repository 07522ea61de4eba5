import { createHash } from 'node:crypto';
import type { SecretEntry, SecretNotes } from './secrets.ts';

// The vault distributes secrets over pages by extendible hashing (Fagin et al., 1979): a secret is in the page whose
// prefix starts the hash of its key, and a page that grows too large is split in two.

/** A page of the vault: all secrets whose key's hash starts with `prefix`, a text of 0s and 1s. */
export interface VaultPage {
  readonly prefix: string;
  readonly entries: readonly SecretEntry[];
}

/** SHA-256 of a key, as a text of 256 0s and 1s. */
export const hashBits = (key: string): string =>
  BigInt(`0x${createHash('sha256').update(key).digest('hex')}`)
    .toString(2)
    .padStart(256, '0');

/** The page for a key. There always is one. */
export const pageFor = <P extends { readonly prefix: string }>(pages: readonly P[], key: string): P => {
  const bits = hashBits(key);
  const page = pages.find(({ prefix }) => bits.startsWith(prefix));
  if (page === undefined) throw new Error('The pages of the vault do not cover every key.');
  return page;
};

/** A secret in the stored form of a page. */
export type BareRow = readonly [
  key: string,
  secretId: string,
  tags: readonly string[],
  number: number,
  highest: number,
  keyVersion: number,
  bytes: number,
  boxBytes: number,
  createdAt: string,
  createdBy: string,
  changedAt: string,
  changedBy: string,
  earlier: readonly (readonly [number: number, keyVersion: number])[],
];

// Most secrets have no notes, and pages stay small.
export type Row = BareRow | readonly [...BareRow, SecretNotes];

export const DIGEST_BYTES = 32;
export const LENGTH_BYTES = 4;

/** Decodes a page that `encodePage` wrote. Its boxes and digests are views of the bytes. */
export const decodePage = (bytes: Uint8Array): VaultPage => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = LENGTH_BYTES + buffer.readUInt32BE();
  const take = (length: number): Uint8Array => {
    at += length;
    return buffer.subarray(at - length, at);
  };
  const [prefix, rows] = JSON.parse(buffer.toString('utf8', LENGTH_BYTES, at)) as [string, readonly Row[]];
  return { prefix, entries: rows.map((row) => fromRow(row, take)) };
};

const fromRow = (row: Row, take: (length: number) => Uint8Array): SecretEntry => {
  const [key, secretId, tags, number, highest, keyVersion, bytes, boxBytes] = row;
  const [, , , , , , , , createdAt, createdBy, changedAt, changedBy, earlier, notes] = row;
  return {
    key,
    secretId,
    tags,
    number,
    highest,
    keyVersion,
    bytes,
    box: take(boxBytes),
    createdAt,
    createdBy,
    changedAt,
    changedBy,
    earlier: earlier.map(([number, keyVersion]) => ({ number, keyVersion, digest: take(DIGEST_BYTES) })),
    ...notes,
  };
};

/** SHA-256 of a page in its stored form. */
export const pageDigest = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** Names an immutable page. */
export interface PageRef {
  readonly prefix: string;
  readonly id: string;
  /** The oldest vault key version of the boxes of the page and of earlier values of its secrets. */
  readonly keyVersion: number;
  /** SHA-256 of the page in its stored form. */
  readonly digest: Uint8Array;
}

/** Bytes of a page's id, which is base64url in its name. */
export const PAGE_ID_BYTES = 16;

const bitBytes = (length: number): number => Math.ceil(length / 8);

const packRef = ({ prefix, id, keyVersion, digest }: PageRef): Buffer => {
  const start = Buffer.alloc(1 + bitBytes(prefix.length) + 4);
  start.writeUInt8(prefix.length);
  for (const [index, bit] of [...prefix].entries()) {
    const at = 1 + (index >> 3);
    if (bit === '1') start[at] = (start[at] ?? 0) | (0x80 >> (index & 7));
  }
  start.writeUInt32BE(keyVersion, start.length - 4);
  return Buffer.concat([start, Buffer.from(id, 'base64url'), digest]);
};

/**
 * Encodes the names of pages one after the other: the number of bits of the prefix (1 byte), the bits, the key version
 * (4 bytes), the id (16) and the digest (32).
 */
export const packRefs = (pages: readonly PageRef[]): Uint8Array => Buffer.concat(pages.map(packRef));

/** Decodes what `packRefs` wrote. Throws a RangeError if it is truncated. */
export const unpackRefs = (packed: Uint8Array): PageRef[] => {
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const pages: PageRef[] = [];
  let at = 0;
  while (at < buffer.length) {
    const bits = buffer.readUInt8(at);
    const keyVersionAt = at + 1 + bitBytes(bits);
    const idAt = keyVersionAt + 4;
    const prefix = Array.from({ length: bits }, (_, index) =>
      ((buffer[at + 1 + (index >> 3)] ?? 0) & (0x80 >> (index & 7))) === 0 ? '0' : '1',
    ).join('');
    const digestAt = idAt + PAGE_ID_BYTES;
    const digest = buffer.subarray(digestAt, digestAt + DIGEST_BYTES);
    if (digest.length < DIGEST_BYTES) throw new RangeError('The names of the pages end too early.');
    const id = buffer.toString('base64url', idAt, digestAt);
    pages.push({ prefix, id, keyVersion: buffer.readUInt32BE(keyVersionAt), digest });
    at = digestAt + DIGEST_BYTES;
  }
  return pages;
};
