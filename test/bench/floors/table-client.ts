// What every function that reads the table has to load, and nothing else.
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

export const table = new DynamoDBClient({});
export const used = [BatchGetItemCommand, GetItemCommand, PutItemCommand, marshall, unmarshall];
