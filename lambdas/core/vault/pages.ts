import { hash } from 'node:crypto';
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
  BigInt(`0x${hash('sha256', key)}`)
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
export type Row = readonly [
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
  // Most secrets have none, and pages stay small.
  notes?: SecretNotes,
];

export const DIGEST_BYTES = 32;
export const LENGTH_BYTES = 4;

/** Decodes a page that `encodePage` wrote. Its boxes and digests are views of the bytes. */
export const decodePage = (bytes: Uint8Array): VaultPage => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = LENGTH_BYTES + buffer.readUInt32BE();
  const take = (length: number) => {
    at += length;
    return buffer.subarray(at - length, at);
  };
  const [prefix, rows] = JSON.parse(buffer.toString('utf8', LENGTH_BYTES, at)) as [string, readonly Row[]];
  return { prefix, entries: rows.map((row) => fromRow(row, take)) };
};

const fromRow = (row: Row, take: (length: number) => Uint8Array): SecretEntry => {
  const [
    key,
    secretId,
    tags,
    number,
    highest,
    keyVersion,
    bytes,
    boxBytes,
    createdAt,
    createdBy,
    changedAt,
    changedBy,
    earlier,
    notes,
  ] = row;
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

/** SHA-256 of a page in its stored form, which names it. */
export const pageDigest = (bytes: Uint8Array): string => hash('sha256', bytes, 'base64url');

/** Names an immutable page. */
export interface PageRef {
  readonly prefix: string;
  /** Its digest. A page contains a random text, so what one writer removes is never what another one wrote. */
  readonly id: string;
  /** The oldest vault key version of the boxes of the page and of earlier values of its secrets. */
  readonly keyVersion: number;
}

/** The names of pages as one text, which is short: every read of secrets fetches it. */
export const packRefs = (pages: readonly PageRef[]): string =>
  pages.map(({ prefix, id, keyVersion }) => [prefix, id, keyVersion].join()).join(' ');

/** The names in a text that `packRefs` made. */
export const unpackRefs = (packed: string): PageRef[] =>
  (packed.match(/\S+/g) ?? []).map((each) => {
    const [prefix = '', id = '', keyVersion] = each.split(',');
    return { prefix, id, keyVersion: Number(keyVersion) };
  });
