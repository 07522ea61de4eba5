// npm run audit:verify: verifies the sealed audit log.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import { ENVIRONMENT } from '../contract/functions/environment.ts';
import { DAY_MS } from '../lambdas/core/days.ts';
import { inParallel } from '../lambdas/core/parallel.ts';
import { decodeObject, numberIn, objectKey, type Seal, sha256 } from '../lambdas/core/seal/sealed-object.ts';
import { createSigning, importPublicKey, type Signing } from '../lambdas/core/signing.ts';
import { openObject } from '../lambdas/store/seal/seals.ts';
import { createKms, publicKeyOf } from '../local/aws/kms.ts';
import { keysIn } from '../local/aws/s3.ts';
import { dataFolderOf } from '../local/settings.ts';
import { OF_INSTALLATION, runWithArguments, UsageError } from './aws/command.ts';
import { environmentOf, functionsOf } from './aws/functions.ts';
import { chooseInstallation } from './aws/installation.ts';
import { CommandError } from './aws/stack.ts';
import { counted } from './counted.ts';

const USAGE = `Usage: npm run audit:verify -- [options]

Verifies the sealed audit log: the order of its objects, their digests, signatures and versions.`;

/** Objects that are read at once. */
const AT_ONCE = 32;

/** An object of the sealed log, in the bucket or in a copy of it. */
export interface LoggedObject {
  readonly key: string;
  /** The bytes of its oldest version. */
  readonly read: () => Promise<Buffer>;
  /** Number of later versions. @default 0 */
  readonly laterVersions?: number;
  /** Whether a delete marker hides it. @default false */
  readonly hidden?: boolean;
}

/**
 * Verifies a sealed log: each object is what was signed, they form one chain without a gap, and none has been replaced
 * or hidden. The first objects may have expired. Returns what is wrong with which objects, how many objects are valid, their
 * entries, and the last valid seal. Errors: those of the reads.
 */
export const verifyLog = async (signing: Signing, objects: readonly LoggedObject[], now: Date) => {
  const problems: { readonly subject: string; readonly problem: string }[] = [];
  const mayHaveExpired = ({ from, shortestDays }: Seal) =>
    now.getTime() - Date.parse(from) > shortestDays * DAY_MS;
  let count = 0;
  let entries = 0;
  let last: { readonly seal: Seal; readonly digest: string } | undefined;
  let before = 0;

  const checkOne = ({ key, laterVersions = 0, hidden = false }: LoggedObject, bytes: Buffer): void => {
    const report = (problem: string, subject = key) => problems.push({ subject, problem });
    const number = numberIn(key);
    if (number === undefined) return void report('This is not an object of the log.');
    if (laterVersions > 0)
      report(`Someone has written ${laterVersions} later versions of it. The oldest is checked.`);
    const highest = before;
    before = Math.max(number, highest);
    if (number <= highest) return void report(`There is another object with number ${number}.`);
    if (highest > 0 && number > highest + 1)
      report('They are missing.', `objects ${highest + 1} to ${number - 1}`);
    try {
      const { seal } = openObject({ signing, settings: { stage: decodeObject(bytes).stage } }, bytes);
      if (objectKey(seal) !== key) return void report(`It is a copy of ${objectKey(seal)}.`);
      if (hidden && !mayHaveExpired(seal)) report('A delete marker hides it.');
      if (highest === 0 && number > 1 && !mayHaveExpired(seal))
        report(`The ${number - 1} objects before it are missing.`);
      const follows = last === undefined || (seal.previous === last.digest && seal.from === last.seal.to);
      // What is missing or changed in between has been reported, and explains this.
      if (!follows && last?.seal.number === number - 1)
        report('It does not follow the object before it: the chain is forked.');
      last = { seal, digest: sha256(bytes) };
      count += 1;
      entries += seal.entries;
    } catch (error) {
      report(`It is not what was sealed: ${error instanceof Error ? error.message : String(error)}.`);
    }
  };

  const sorted = objects.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  for (let i = 0; i < sorted.length; i += AT_ONCE) {
    const part = sorted.slice(i, i + AT_ONCE);
    const read = await inParallel(part, async (object) => ({ object, bytes: await object.read() }));
    for (const { object, bytes } of read) checkOne(object, bytes);
  }
  return { problems, objects: count, entries, last: last?.seal };
};

const objectsIn = (folder: string): LoggedObject[] => {
  if (!existsSync(folder) || readdirSync(folder).length === 0)
    throw new CommandError(
      `There is no sealed log in ${folder}. A new installation seals its first entries after 5 to 20 minutes.`,
    );
  return keysIn(folder).map((key) => ({ key, read: () => readFile(path.join(folder, key)) }));
};

const objectsInBucket = async (Bucket: string): Promise<LoggedObject[]> => {
  const client = new S3Client({});
  const pages: ListObjectVersionsCommandOutput[] = [];
  do {
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = pages.at(-1) ?? {};
    pages.push(await client.send(new ListObjectVersionsCommand({ Bucket, KeyMarker, VersionIdMarker })));
  } while (pages.at(-1)?.IsTruncated);
  const markers = pages.flatMap(({ DeleteMarkers = [] }) => DeleteMarkers);
  const hidden = new Set(markers.filter(({ IsLatest }) => IsLatest).map(({ Key }) => Key));
  // Of each key newest first.
  const versions = Map.groupBy(
    pages.flatMap(({ Versions = [] }) => Versions),
    ({ Key = '' }) => Key,
  );
  return [...versions].map(([Key, ofKey]) => ({
    key: Key,
    hidden: hidden.has(Key),
    laterVersions: ofKey.length - 1,
    read: async () => {
      const command = new GetObjectCommand({ Bucket, Key, VersionId: ofKey.at(-1)?.VersionId });
      return Buffer.from((await (await client.send(command)).Body?.transformToByteArray()) ?? []);
    },
  }));
};

const OPTIONS = {
  ...OF_INSTALLATION,
  folder: { type: 'string', says: ['--folder COPY', 'a copy of the bucket, with nothing but --public-key'] },
  'public-key': { type: 'string', says: ['--public-key FILE', 'the keys to trust, instead of those there'] },
} as const;

/** The public keys in a file, as base64, separated by spaces. Errors: `CommandError`. */
const readPublicKeys = (file: string): string => {
  try {
    const keys = readFileSync(file, 'utf8').trim().split(/\s+/);
    for (const key of keys) importPublicKey(Buffer.from(key, 'base64'));
    return keys.join(' ');
  } catch {
    throw new CommandError(`${file} does not contain what "aws kms get-public-key" prints.`);
  }
};

if (import.meta.main)
  await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values }) => {
    const { folder, 'public-key': file } = values;
    if (folder !== undefined && (file === undefined || values.stage !== undefined))
      throw new UsageError('--folder needs --public-key, and no --stage.');
    const stage = folder === undefined ? await chooseInstallation(values) : undefined;
    const dataFolder = dataFolderOf(process.env);
    const environment =
      stage === undefined ? {} : await environmentOf((await functionsOf(stage))('audit-seal'));
    const objects =
      stage === undefined
        ? objectsIn(folder ?? path.join(dataFolder, 'sealed-log'))
        : await objectsInBucket(environment[ENVIRONMENT.sealedLog] ?? '');
    const keys =
      file === undefined
        ? (environment[ENVIRONMENT.publicKeys] ??
          publicKeyOf(createKms(path.join(dataFolder, 'kms-key.json'))))
        : readPublicKeys(file);
    const { problems, entries, ...found } = await verifyLog(createSigning(keys), objects, new Date());
    if (problems.length > 0) process.exitCode = 1;
    const { number, to } = found.last ?? { number: 0, to: '-' };
    return [
      `Verified ${counted(found.objects, 'object')} with ${counted(entries, 'entry', 'entries')}, the last one number ${number}, sealed up to ${to}.`,
      ...problems.map(({ subject, problem }) => `${subject}: ${problem}`),
      problems.length === 0
        ? 'No object is missing, changed, replaced or hidden.'
        : `${counted(problems.length, 'problem')}. See "The sealed log" in docs/operations.md.`,
    ].join('\n');
  });
