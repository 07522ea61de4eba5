// What every function that reads the table and calls KMS has to load, and nothing else.
import { KMSClient } from '@aws-sdk/client-kms';

export * from './table-client.ts';
export const kms = new KMSClient({});
