import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { dayOf, daysAfter } from '../../lambdas/core/days.ts';
import { createSigning } from '../../lambdas/core/signing.ts';
import { connectTable } from '../../lambdas/store/connect.ts';
import type { LoggedObject } from '../../lambdas/store/seal/verification/objects.ts';
import { environmentOf, functionsOf } from '../aws/functions.ts';
import { readPublicKeys } from './copy.ts';
import { JOB, type Source } from './source.ts';

interface Listed {
  /** Versions, newest first. */
  readonly versions: string[];
  hidden: boolean;
}

/**
 * The objects of a bucket with all their versions. Objects of days before `oldest` may be hidden: the lifecycle of the
 * bucket removes them. Errors: those of S3.
 */
export const objectsInBucket = async (
  client: S3Client,
  Bucket: string,
  oldest: string,
): Promise<LoggedObject[]> => {
  const listed = new Map<string, Listed>();
  const entryOf = (key: string): Listed => {
    const entry = listed.get(key) ?? { versions: [], hidden: false };
    listed.set(key, entry);
    return entry;
  };
  let next: { readonly KeyMarker?: string; readonly VersionIdMarker?: string } | undefined = {};
  while (next !== undefined) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket, ...next }),
    );
    for (const { Key = '', VersionId = '' } of page.Versions ?? []) entryOf(Key).versions.push(VersionId);
    for (const { Key = '', IsLatest } of page.DeleteMarkers ?? []) if (IsLatest) entryOf(Key).hidden = true;
    const { NextKeyMarker = '', NextVersionIdMarker = '' } = page;
    next = page.IsTruncated ? { KeyMarker: NextKeyMarker, VersionIdMarker: NextVersionIdMarker } : undefined;
  }
  return [...listed]
    .filter(([key, { versions, hidden }]) => versions.length > 0 && !(hidden && key < oldest))
    .map(([Key, { versions, hidden }]) => ({
      key: Key,
      hidden,
      laterVersions: versions.length - 1,
      read: async () => {
        const VersionId = versions.at(-1);
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      },
    }));
};

/**
 * The table and the bucket of a stage. By default, the public keys are those that its functions verify with. Errors:
 * `CommandError` if the stage has no sealed log; those of AWS.
 */
export const openStage = async (stage: string, publicKeys: string | undefined): Promise<Source> => {
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
