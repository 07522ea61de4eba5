// The calls of a request with the client of the functions, in the same two steps, and nothing else.
import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  PutItemCommand,
  type PutItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { createClient, QUICK_OPTIONS } from '../../../lambdas/store/client.ts';

export interface Steps {
  readonly read: BatchGetItemCommandInput;
  readonly put?: PutItemCommandInput | undefined;
}

const client = createClient(QUICK_OPTIONS);

/** Makes the calls once; `sk` is the sort key of the entry that is put. */
export const call = async ({ read, put }: Steps, sk: string): Promise<void> => {
  await client.send(new BatchGetItemCommand(read));
  if (put !== undefined)
    await client.send(new PutItemCommand({ ...put, Item: { ...put.Item, sk: { S: sk } } }));
};
