import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyIdOf } from './credential.ts';
import type { OfflineCopy, OfflineOwner } from './secrets/secrets.ts';
import { positive, refuse } from './settings.ts';
import { writeWhole } from './whole-file.ts';
import type { SecretsResult } from './wire.ts';

// All clients share this file format: test/vectors/offline.json.
const INFO = 'cuevault offline copy v1';
const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
const DAY_MS = 86_400_000;

interface OfflineFile {
  readonly v: 1;
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
}

export interface OfflineOptions {
  /** Folder of the copies, one file for each API key, environment and filter; made with mode 0700. Others must not write to it. */
  readonly directory: string;
  /** Maximum age of a copy in milliseconds. @default 86400000, one day */
  readonly maxAgeMs?: number | undefined;
}

// Buffers compare as code points do; JavaScript's own order of texts is another one.
const sorted = (tags: readonly string[]): string[] =>
  [...new Set(tags)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

const cacheKeyOf = ({ url, key, tags, environment }: OfflineOwner): string =>
  JSON.stringify(
    [url.replace(/\/+$/, ''), key ?? null, sorted(tags ?? []), environment].slice(0, environment ? 4 : 3),
  );

// Bound to the contents: neither the filter nor the age can be changed in the file.
const additionalDataOf = (owner: OfflineOwner, savedAt: number): Buffer =>
  Buffer.from(`${cacheKeyOf(owner)}\n${savedAt}`);

const keyFor = (apiKey: string, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', apiKey, salt, INFO, 32));

const seal = (owner: OfflineOwner, secrets: SecretsResult): OfflineFile => {
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const savedAt = Date.now();
  const cipher = createCipheriv(CIPHER, keyFor(owner.apiKey, salt), iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(additionalDataOf(owner, savedAt));
  const data = Buffer.concat([cipher.update(JSON.stringify(secrets)), cipher.final()]);
  return {
    v: 1,
    salt: salt.toString('base64'),
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
    savedAt,
  };
};

const open = (owner: OfflineOwner, file: OfflineFile): SecretsResult => {
  const [salt, iv, tag, data] = [file.salt, file.iv, file.tag, file.data].map((text) =>
    Buffer.from(text, 'base64'),
  ) as [Buffer, Buffer, Buffer, Buffer];
  const decipher = createDecipheriv(CIPHER, keyFor(owner.apiKey, salt), iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(additionalDataOf(owner, file.savedAt));
  decipher.setAuthTag(tag);
  return JSON.parse(Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8'));
};

// A separate file for each API key: reading with another key, or a mistyped one, leaves the copies of others alone.
const fileNameOf = (owner: OfflineOwner, what = cacheKeyOf(owner), suffix = 'json'): string => {
  const keyId = keyIdOf(owner.apiKey) ?? 'key';
  const digest = createHmac('sha256', owner.apiKey).update(what).digest('hex');
  return `${keyId}-${digest.slice(0, 32)}.${suffix}`;
};

/** Requires that nobody else can put an old copy back. Errors: CuevaultError `configuration`. */
const requireOwn = (directory: string): void => {
  let status: Stats;
  try {
    status = statSync(directory);
  } catch {
    return;
  }
  const user = process.getuid?.() ?? status.uid;
  if (process.platform === 'win32' || (status.uid === user && (status.mode & 0o022) === 0)) return;
  throw refuse(
    `The folder of offline copies, "${directory}", must belong to the user who runs this, and others must not be able to write to it. Use a folder of its own.`,
  );
};

/**
 * Keeps the secrets that were last read in files: AES-256-GCM under a key derived from the API key, mode 0600. A copy
 * answers only when the service cannot, only for the same address, API key, environment and filter, and only up to its age
 * limit; never if it is older than the last refusal of the API key, or than one that was saved here.
 * Errors: CuevaultError `configuration` for an age that is not a number above 0, and a folder that others own or write to.
 */
export const offlineCopy = ({ directory, maxAgeMs = DAY_MS }: OfflineOptions): OfflineCopy => {
  positive('maxAgeMs', maxAgeMs);
  requireOwn(directory);
  const newest = new Map<string, number>();
  const refusalOf = (owner: OfflineOwner): string => join(directory, fileNameOf(owner, 'refused', 'refused'));
  const pathFor = (owner: OfflineOwner): string => join(directory, fileNameOf(owner));

  const save = async (owner: OfflineOwner, secrets: SecretsResult): Promise<void> => {
    const path = pathFor(owner);
    const file = seal(owner, secrets);
    newest.set(path, file.savedAt);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    requireOwn(directory);
    await writeWhole(path, JSON.stringify(file));
  };

  const load = async (owner: OfflineOwner) => {
    try {
      requireOwn(directory);
      const file = JSON.parse(await readFile(pathFor(owner), 'utf8')) as OfflineFile;
      const refusedAt = Number(await readFile(refusalOf(owner), 'utf8').catch(() => 0));
      if (!(file.savedAt > refusedAt && file.savedAt >= (newest.get(pathFor(owner)) ?? 0))) return undefined;
      const ageMs = Math.max(0, Date.now() - file.savedAt);
      // Written so that a time that is not a number counts as too old.
      if (file.v !== 1 || !(ageMs <= maxAgeMs)) return undefined;
      return { secrets: open(owner, file), ageMs };
    } catch {
      return undefined;
    }
  };

  const drop = async (owner: OfflineOwner, isKeyRefused?: boolean): Promise<void> => {
    await rm(pathFor(owner), { force: true });
    requireOwn(directory);
    if (isKeyRefused === true) await writeFile(refusalOf(owner), `${Date.now()}`, { mode: 0o600 });
  };

  return { directory, save, load, drop };
};

export type { OfflineCopy, OfflineOwner } from './secrets/secrets.ts';
