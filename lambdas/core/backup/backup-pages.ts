import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { canonicalJson } from '../../../contract/content/hash.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { BackupPage, BackupRecord } from '../../../contract/shapes/backup.ts';
import { CuevaultError } from '../errors.ts';

const FORM = 'cuevault/backup-page';

const checksum = (text: string) => hash('sha256', text, 'base64url');

const CHECKSUM = /,"sha256":"([\w-]{43})"\}$/;

/** A record as a line, with the SHA-256 of its JSON text as its last property. */
export const lineOf = (record: BackupRecord): string => {
  const text = JSON.stringify(record);
  return `${text.slice(0, -1)},"sha256":"${checksum(text)}"}`;
};

/** Reads a line. Throws a RangeError if it is not as `lineOf` wrote it. */
export const recordIn = (line: string): BackupRecord => {
  const [end = '', stored] = CHECKSUM.exec(line) ?? [];
  const text = `${line.slice(0, line.length - end.length)}}`;
  if (stored === undefined || checksum(text) !== stored) throw new RangeError('The checksum does not match.');
  return JSON.parse(text) as BackupRecord;
};

/** The lines of a page as text; each ends with a line feed. */
export const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** The lines in a text that `textOf` made. */
export const linesIn = (text: string): string[] => text.split('\n').slice(0, -1);

/** Compresses the text of a page for transport. */
export const packLines = (text: string): string => gzipSync(text).toString('base64');

/** Larger than any page: it ends with the record that exceeds the limit. */
const MOST_BYTES = 2 * LIMITS.backupPageBytes;

/** Decompresses the text of a page. */
export const unpackLines = (packed: string): string => {
  try {
    return gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: MOST_BYTES }).toString('utf8');
  } catch (cause) {
    throw new CuevaultError('invalid_request', '"lines" is not a page of a backup.', { cause });
  }
};

/** The digest of a page: SHA-256 (hex) of the previous page's digest and its own text. */
export const digestOf = (previous: string, text: string): string => hash('sha256', `${previous}\n${text}`);

/** The message that the installation signs for a page: all of it. */
export const pageMessage = (page: Omit<BackupPage, 'signature'>): Buffer =>
  Buffer.from(FORM + canonicalJson(page));
