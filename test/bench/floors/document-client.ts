// What every function that reads the table has to load, and nothing else.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
