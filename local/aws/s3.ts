import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface S3Input {
  readonly bucket: string;
  /** Empty for operations on the bucket. */
  readonly key: string;
  /** The header. */
  readonly ifNoneMatch?: string | undefined;
}

export interface S3Reply {
  readonly status: number;
  readonly body: string | Buffer;
}

/** Answers an operation by its name in policies. Objects are files in a folder; there is one bucket. */
export type S3 = (operation: string, input: S3Input, body: Buffer) => S3Reply;

const KEY = /^[\w.-]+(\/[\w.-]+)*$/;

/** An error in the format of S3. */
export const s3Failure = (status: number, code: string): S3Reply => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});

const operationOf = (method: string, key: string, query: URLSearchParams): string | undefined => {
  if (key === '') return method === 'GET' && query.get('list-type') === '2' ? 'ListBucket' : undefined;
  if (!KEY.test(key) || key.split('/').includes('..')) return undefined;
  return { GET: 'GetObject', PUT: 'PutObject' }[method];
};

/** Reads the operation from a request with the bucket in its path; undefined for one that is not supported here. */
export const s3CallOf = (method: string, url: string, ifNoneMatch: string | undefined) => {
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const [bucket = '', ...rest] = decodeURIComponent(pathname.slice(1)).split('/');
  const body: S3Input = { bucket, key: rest.join('/'), ifNoneMatch };
  const operation = operationOf(method, body.key, searchParams);
  return operation === undefined ? undefined : { target: `S3.${operation}`, body };
};

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const read = (file: string): S3Reply => {
  try {
    return { status: 200, body: readFileSync(file) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return s3Failure(404, 'NoSuchKey');
    throw error;
  }
};

// A link appears complete or not at all, and only if the name is free. This is what `If-None-Match: *` means, with
// which every object here is written.
const add = (folder: string, file: string, body: Buffer): S3Reply => {
  const draft = path.join(folder, `.${randomUUID()}`);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(draft, body, { mode: 0o400, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
    return { status: 200, body: '' };
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return s3Failure(412, 'PreconditionFailed');
    throw error;
  } finally {
    rmSync(draft);
  }
};

/** The keys of the objects in a folder, sorted as S3 sorts them. */
export const keysIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();

const list = (folder: string): S3Reply => {
  const contents = keysIn(folder).map((key) => `<Contents><Key>${key}</Key></Contents>`);
  return {
    status: 200,
    body: `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`,
  };
};

/** The stand-in for S3. It writes an object only if there is none, as the bucket's policy requires. */
export const createS3 = (folder: string): S3 => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return (operation, { key }, body) => {
    if (operation === 'ListBucket') return list(folder);
    const file = path.join(folder, key);
    return operation === 'GetObject' ? read(file) : add(folder, file, body);
  };
};
