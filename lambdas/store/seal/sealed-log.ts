import {
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { CLIENT_OPTIONS } from '../connect.ts';
import { mapAwsError } from '../failures.ts';

/** The bucket with the sealed log. Objects can be added, never replaced. */
export interface SealedLog {
  /** The bytes of an object, or undefined if there is none. */
  readonly read: (key: string) => Promise<Buffer | undefined>;
  /** Adds an object. Returns false, and changes nothing, if there is one already. */
  readonly add: (key: string, bytes: Uint8Array) => Promise<boolean>;
  /** All keys, sorted. */
  readonly keys: () => AsyncGenerator<string>;
}

/** An object has up to a few megabytes. */
const OBJECT_MS = 30_000;

const isNamed = (error: unknown, ...names: string[]) => error instanceof Error && names.includes(error.name);

/** Connects to the bucket that the environment names (`contract/functions/environment.ts`). */
export const connectSealedLog = (
  environment: NodeJS.ProcessEnv = process.env,
  options: S3ClientConfig = {},
): SealedLog => {
  const client = new S3Client({
    ...CLIENT_OPTIONS,
    requestHandler: { ...CLIENT_OPTIONS.requestHandler, requestTimeout: OBJECT_MS },
    ...options,
  });
  const Bucket = environment[ENVIRONMENT.sealedLog] ?? '';
  return {
    read: async (Key) => {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        return Body === undefined ? undefined : Buffer.from(await Body.transformToByteArray());
      } catch (error) {
        if (isNamed(error, 'NoSuchKey')) return undefined;
        throw mapAwsError(error);
      }
    },
    add: async (Key, Body) => {
      try {
        await client.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: '*' }));
        return true;
      } catch (error) {
        if (isNamed(error, 'PreconditionFailed', 'ConditionalRequestConflict')) return false;
        throw mapAwsError(error);
      }
    },
    async *keys() {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
        for (const { Key } of Contents) if (Key !== undefined) yield Key;
      }
    },
  };
};
