// What every function that reads the table has to load, and nothing else.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';

export const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
export const used = [BatchGetCommand, GetCommand, PutCommand];
