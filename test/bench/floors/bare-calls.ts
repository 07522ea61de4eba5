// The calls of a request with the functions' client options, in the same two steps, and nothing else.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  PutCommand,
  type PutCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { CLIENT_OPTIONS } from '../../../lambdas/store/client.ts';

export interface TwoSteps {
  readonly gets: readonly GetCommandInput[];
  readonly put: PutCommandInput;
}

const documents = DynamoDBDocumentClient.from(new DynamoDBClient(CLIENT_OPTIONS), {
  marshallOptions: { removeUndefinedValues: true },
});

/** Makes the calls once; `sk` is the sort key of the entry that is put. */
export const call = async ({ gets, put }: TwoSteps, sk: string): Promise<void> => {
  await Promise.all(gets.map((get) => documents.send(new GetCommand(get))));
  await documents.send(new PutCommand({ ...put, Item: { ...put.Item, sk } }));
};
