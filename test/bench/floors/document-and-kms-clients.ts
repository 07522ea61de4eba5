// What every function that reads the table and calls KMS has to load, and nothing else.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
export const kms = new KMSClient({});
