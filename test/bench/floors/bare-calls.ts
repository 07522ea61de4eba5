// The calls of a request with the client of the functions, in the same two steps, and nothing else.
import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  PutItemCommand,
  type PutItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { createClient, QUICK_OPTIONS } from '../../../lambdas/store/client.ts';

export interface Steps {
  readonly read: BatchGetItemCommandInput;
  /** Absent in a call that is refused. */
  readonly put?: PutItemCommandInput | undefined;
}

const client = createClient(QUICK_OPTIONS);

/** Makes the calls once, between items and attributes; `sk` is the sort key of the entry that is put. */
export const call = async ({ read, put }: Steps, sk: string): Promise<void> => {
  const { Responses = {} } = await client.send(new BatchGetItemCommand(read));
  for (const items of Object.values(Responses)) for (const item of items) unmarshall(item);
  if (put?.Item === undefined) return;
  const Item = marshall({ ...unmarshall(put.Item), sk });
  await client.send(new PutItemCommand({ ...put, Item }));
};
