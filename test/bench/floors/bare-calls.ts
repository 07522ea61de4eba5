// The calls of a request with the client of the functions, in the same two steps, and nothing else.
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  PutCommand,
  type PutCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { createClient, QUICK_OPTIONS } from '../../../lambdas/store/connect.ts';

export interface Steps {
  readonly read: BatchGetCommandInput;
  /** Absent in a call that is refused. */
  readonly put?: PutCommandInput | undefined;
}

const client = createClient(QUICK_OPTIONS);

/** Makes the calls once; `sk` is the sort key of the entry that is put. */
export const call = async ({ read, put }: Steps, sk: string): Promise<void> => {
  await client.send(new BatchGetCommand(read));
  if (put?.Item === undefined) return;
  await client.send(new PutCommand({ ...put, Item: { ...put.Item, sk } }));
};
