import { createPublicKey } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type ObjectVersion,
  S3Client,
} from '@aws-sdk/client-s3';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { JOBS } from '../../contract/functions/jobs.ts';
import { dayOf, daysAfter } from '../../lambdas/core/days.ts';
import { decodeObject } from '../../lambdas/core/seal/sealed-object.ts';
import { createSigning, importPublicKey } from '../../lambdas/core/signing.ts';
import { connectTable } from '../../lambdas/store/connect.ts';
import type { Verifier } from '../../lambdas/store/signing/rows.ts';
import type { Table } from '../../lambdas/store/table.ts';
import { createKms, publicKeyOf } from '../../local/aws/kms.ts';
import { keysIn } from '../../local/aws/s3.ts';
import { startEngine } from '../../local/engine/engine.ts';
import { engineOptions } from '../../local/engine/table.ts';
import { variablesOf } from '../../local/functions/grants.ts';
import { dataFolderOf } from '../../local/settings.ts';
import type { Given } from '../aws/command.ts';
import { environmentOf, functionsOf } from '../aws/functions.ts';
import { CommandError } from '../aws/stack.ts';
import type { LoggedObject } from './verification/objects.ts';

const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

const toBase64 = (pem: string): string =>
  createPublicKey(pem).export({ format: 'der', type: 'spki' }).toString('base64');

/**
 * Reads the public keys in a file, as PEM or as base64 of DER, which is what `aws kms get-public-key` prints: that of
 * the signing key and, after a rotation, those of former ones. Returns them as base64, separated by spaces. Errors:
 * `CommandError`.
 */
export const readPublicKeys = (file: string): string => {
  try {
    const text = readFileSync(file, 'utf8');
    const keys = text.match(PEM)?.map(toBase64) ?? text.split(/\s+/).filter((each) => each !== '');
    for (const key of keys) importPublicKey(Buffer.from(key, 'base64'));
    if (keys.length === 0) throw new Error('it is empty');
    return keys.join(' ');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${file} contains no P-256 public keys, as PEM or base64: ${reason}`);
  }
};

/** A copy of the bucket in a folder, with the public keys in a file. Errors: `CommandError`. */
export const openCopy = async (folder: string, publicKeys: string): Promise<Source> => {
  const objects = objectsIn(folder);
  const signing = createSigning(readPublicKeys(publicKeys));
  const stageOf = async (): Promise<string> => {
    for (const { read } of objects) {
      try {
        return decodeObject(await read()).stage;
      } catch {}
    }
    return '';
  };
  return { verifier: { signing, settings: { stage: await stageOf() } }, objects, close: async () => {} };
};

/** The operation id of the job that seals. */
export const JOB = 'audit-seal';

/** What is verified: the log, with what verifies it, and the table if there is one. */
export interface Source {
  readonly verifier: Verifier;
  readonly objects: readonly LoggedObject[];
  readonly table?: Table;
  readonly close: () => Promise<void>;
}

/** The objects in a folder. Errors: `CommandError` if it does not exist. */
export const objectsIn = (folder: string): LoggedObject[] => {
  if (!existsSync(folder) || readdirSync(folder).length === 0)
    throw new CommandError(
      `There is no sealed log in ${folder}. A new installation seals its first entries after 5 to 20 minutes.`,
    );
  return keysIn(folder).map((key) => ({ key, read: () => readFile(path.join(folder, key)) }));
};

/**
 * The objects of a bucket with all their versions. Objects of days before `oldest` may be hidden: the lifecycle of the
 * bucket removes them. Errors: those of S3.
 */
const objectsInBucket = async (client: S3Client, Bucket: string, oldest: string): Promise<LoggedObject[]> => {
  // Of each key newest first.
  const versions: ObjectVersion[] = [];
  const hidden = new Set<string>();
  let next: { readonly KeyMarker?: string; readonly VersionIdMarker?: string } | undefined = {};
  while (next !== undefined) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket, ...next }),
    );
    versions.push(...(page.Versions ?? []));
    for (const { Key = '', IsLatest } of page.DeleteMarkers ?? []) if (IsLatest) hidden.add(Key);
    const { NextKeyMarker = '', NextVersionIdMarker = '' } = page;
    next = page.IsTruncated ? { KeyMarker: NextKeyMarker, VersionIdMarker: NextVersionIdMarker } : undefined;
  }
  return [...Map.groupBy(versions, ({ Key = '' }) => Key)]
    .filter(([key]) => !(hidden.has(key) && key < oldest))
    .map(([Key, own]) => ({
      key: Key,
      hidden: hidden.has(Key),
      laterVersions: own.length - 1,
      read: async () => {
        const { VersionId } = own.at(-1) ?? {};
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      },
    }));
};

/**
 * The table and the bucket of a stage. By default, the public keys are those that its functions verify with. Errors:
 * `CommandError` if the stage has no sealed log; those of AWS.
 */
const openStage = async (stage: string, publicKeys: string | undefined): Promise<Source> => {
  const environment = await environmentOf((await functionsOf(stage))(JOB));
  const connected = connectTable(environment);
  const table =
    publicKeys === undefined
      ? connected
      : { ...connected, signing: createSigning(readPublicKeys(publicKeys)) };
  const oldest = dayOf(daysAfter(new Date(), -table.settings.auditDays));
  const objects = await objectsInBucket(new S3Client({}), environment[ENVIRONMENT.sealedLog] ?? '', oldest);
  return { verifier: table, objects, table, close: async () => table.client.destroy() };
};

const snapshotOf = async (file: string, folder: string): Promise<string> => {
  const copy = path.join(folder, 'table.sqlite');
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    await backup(database, copy);
  } finally {
    database.close();
  }
  return copy;
};

/**
 * The data folder of `npm start`, which may be running: the table is read from a snapshot. Errors: `CommandError` if
 * there is no table or no log in it.
 */
const openHere = async (dataFolder: string, publicKeys: string | undefined): Promise<Source> => {
  const [file, key] = ['table.sqlite', 'kms-key.json'].map((name) => path.join(dataFolder, name));
  if (file === undefined || key === undefined || !existsSync(file) || !existsSync(key))
    throw new CommandError(
      `There is no table in ${dataFolder}: set CUEVAULT_DATA, name a stage with --stage, or a copy of the log with --folder.`,
    );
  // Before the snapshot: entries that are sealed in between are merely not due yet.
  const objects = objectsIn(path.join(dataFolder, 'sealed-log'));
  const folder = mkdtempSync(path.join(tmpdir(), 'cuevault-verify-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const engine = await startEngine(await snapshotOf(file, folder));
    const keys = publicKeys === undefined ? publicKeyOf(createKms(key)) : readPublicKeys(publicKeys);
    const { grants = [] } = JOBS.find(({ id }) => id === JOB) ?? {};
    const table = connectTable(variablesOf(grants, keys), engineOptions(engine.endpoint));
    const close = async () => {
      table.client.destroy();
      await engine.stop();
      remove();
    };
    return { verifier: table, objects, table, close };
  } catch (error) {
    remove();
    throw error;
  }
};

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The options that name a sealed log and its days. */
export const LOG_OPTIONS = {
  stage: { type: 'string' },
  folder: { type: 'string' },
  'public-key': { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const;

type Values = Given<typeof LOG_OPTIONS>['values'];

/** Opens the log that the options name. Errors: `CommandError` with the usage; those of AWS. */
export const openLog = async (
  { stage, folder, 'public-key': publicKey, from, to }: Values,
  usage: string,
): Promise<Source> => {
  for (const day of [from, to])
    if (day !== undefined && !DAY.test(day))
      throw new CommandError(`Give days as YYYY-MM-DD, not "${day}".\n\n${usage}`);
  if (folder === undefined)
    return stage === undefined ? openHere(dataFolderOf(process.env), publicKey) : openStage(stage, publicKey);
  if (publicKey === undefined || stage !== undefined)
    throw new CommandError(`--folder needs --public-key, and no --stage.\n\n${usage}`);
  return openCopy(folder, publicKey);
};
