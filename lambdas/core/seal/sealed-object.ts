import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { crc32, createGzip } from 'node:zlib';
import { dayIn } from '../days.ts';
import type { SealedEntry } from './entries.ts';

/** One link of the sealed log: a range of time, the entries in it, and the link before. */
export interface Seal {
  /** 1 for the first. */
  readonly number: number;
  /** Start of the range (ISO 8601 in UTC), included: the end of the previous link. */
  readonly from: string;
  /** End of the range, excluded. */
  readonly to: string;
  /** When it was sealed: ISO 8601 in UTC. */
  readonly sealedAt: string;
  /** SHA-256 of the entire previous object, in hex; empty for the first. */
  readonly previous: string;
  /** Number of entries. */
  readonly entries: number;
  /** SHA-256 of the compressed entries, in hex. */
  readonly digest: string;
  /** The lowest number of days for which audit entries were ever kept. */
  readonly shortestDays: number;
  /** Absent before the seal is signed. */
  readonly signature?: Uint8Array;
}

/** An object of the sealed log, its signature not yet verified. */
export interface SealedObject {
  readonly stage: string;
  readonly seal: Seal & { readonly signature: Uint8Array };
  /** JSON Lines in gzip, without the seal. */
  readonly compressed: Buffer;
}

/** Version of the format of sealed objects. */
const FORMAT = 'cuevault/sealed-log/1';
const NUMBER_DIGITS = 12;

export const sha256 = (data: Uint8Array): string => hash('sha256', data);

/** The key of a link's object: its first day, then its number. Keys sort in the order of the links. */
export const objectKey = ({ number, from }: Pick<Seal, 'number' | 'from'>): string =>
  `${dayIn(from)}/${String(number).padStart(NUMBER_DIGITS, '0')}.jsonl.gz`;

/** The number in an object's key, or undefined if it is not a key of the sealed log. */
export const numberIn = (key: string): number | undefined => {
  const [, digits] = /^\d{4}-\d\d-\d\d\/(\d{12})\.jsonl\.gz$/.exec(key) ?? [];
  return digits === undefined ? undefined : Number(digits);
};

// A gzip member (RFC 1952) whose data is one stored block (RFC 1951, 3.2.4): the same header always has the same bytes,
// so that no byte of an object can change unnoticed.
const MEMBER_START = Buffer.from('1f8b08000000000000ff01', 'hex');
const LENGTH_BYTES = 4;
const TRAILER_BYTES = 8;

const storedMember = (data: Buffer) => {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16LE(data.length, 0);
  length.writeUInt16LE(~data.length & 0xffff, 2);
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(crc32(data), 0);
  trailer.writeUInt32LE(data.length, 4);
  return Buffer.concat([MEMBER_START, length, data, trailer]);
};

const headerOf = (stage: string, seal: SealedObject['seal']) => {
  const { number, from, to, sealedAt, previous, entries, digest, shortestDays } = seal;
  const signature = Buffer.from(seal.signature).toString('base64');
  const fields = { number, from, to, sealedAt, previous, entries, digest, shortestDays, signature };
  return storedMember(Buffer.from(`${JSON.stringify({ format: FORMAT, stage, ...fields })}\n`));
};

const contentOf = ({ signature: _, ...content }: Seal) => content;

/** Whether two seals say the same. Their signatures can differ: rows are signed again when the signing key changes. */
export const isSameSeal = (one: Seal, other: Seal | undefined): boolean =>
  other !== undefined && isDeepStrictEqual(contentOf(one), contentOf(other));

/** Lines are compressed in pieces of about this many characters. */
const PIECE = 64 * 1024;

type Entries = Iterable<SealedEntry> | AsyncIterable<SealedEntry>;

async function* piecesOf(entries: Entries): AsyncGenerator<string> {
  let piece = '';
  for await (const { line } of entries) {
    piece += `${line}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** The compressed entries of an object. Memory holds them only compressed. */
export const compressEntries = async (entries: Entries): Promise<Buffer> => {
  const gzip = createGzip();
  const [compressed] = await Promise.all([buffer(gzip), pipeline(piecesOf(entries), gzip)]);
  return compressed;
};

/**
 * The bytes of an object: compressed JSON Lines, which `gunzip` reads. The first line is the seal with its signature,
 * each other line is an entry.
 */
export const encodeObject = (
  stage: string,
  seal: SealedObject['seal'],
  compressedEntries: Uint8Array,
): Buffer => Buffer.concat([headerOf(stage, seal), compressedEntries]);

interface Header extends Omit<Seal, 'signature'> {
  readonly format: string;
  readonly stage: string;
  /** Base64. */
  readonly signature: string;
}

const decodeHeader = (bytes: Buffer): { readonly header: Buffer; readonly fields: unknown } => {
  const start = MEMBER_START.length + LENGTH_BYTES;
  const length = bytes.length < start ? 0 : bytes.readUInt16LE(MEMBER_START.length);
  const header = bytes.subarray(0, start + length + TRAILER_BYTES);
  return { header, fields: JSON.parse(bytes.subarray(start, start + length).toString()) };
};

/**
 * Reads an object. Throws if a byte of its first line is not as `encodeObject` writes it, or if the entries are not
 * those of the seal. The signature remains to be verified.
 */
export const decodeObject = (bytes: Buffer): SealedObject => {
  const { header, fields } = decodeHeader(bytes);
  const { format, stage, signature, ...rest } = fields as Header;
  if (format !== FORMAT) throw new Error('it has another format');
  const seal = { ...rest, signature: Buffer.from(signature, 'base64') };
  if (!header.equals(headerOf(stage, seal))) throw new Error('its first line is not in the right form');
  const compressed = bytes.subarray(header.length);
  if (sha256(compressed) !== seal.digest) throw new Error('its entries are not those that were sealed');
  return { stage, seal, compressed };
};
