import type { SealedLog } from '../../../lambdas/store/seal/sealed-log.ts';
import { createS3, keysIn } from '../../../local/aws/s3.ts';
import { newFolder } from '../new-folder.ts';

/** A sealed log in its own folder, through the stand-in for S3. */
export interface TestLog extends SealedLog {
  readonly folder: string;
}

export const openTestLog = (): TestLog => {
  const folder = newFolder();
  const s3 = createS3(folder);
  const call = (operation: 'GetObject' | 'PutObject', key: string, body: Uint8Array = new Uint8Array()) =>
    s3(operation, { bucket: 'log', key }, Buffer.from(body));
  return {
    folder,
    read: async (key) => {
      const { status, body } = call('GetObject', key);
      return status === 200 ? Buffer.from(body) : undefined;
    },
    add: async (key, bytes) => call('PutObject', key, bytes).status === 200,
    async *keys() {
      yield* keysIn(folder);
    },
  };
};
