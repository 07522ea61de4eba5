import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DEFAULT_SETTINGS, ENVIRONMENT } from '../../contract/functions/environment.ts';
import { createSigning, type Signer } from '../core/signing.ts';
import { createClient } from './client.ts';
import type { Table } from './table.ts';

/**
 * Connects to the table that the environment names (`contract/functions/environment.ts`). Without a signer, the function
 * only verifies rows.
 */
export const connectTable = (
  environment: NodeJS.ProcessEnv = process.env,
  options: DynamoDBClientConfig = {},
  signer?: Signer,
): Table => {
  const numberOf = (
    name: 'shards' | 'accessDays' | 'auditDays' | 'readDays' | 'compiledBytes' | 'requestMetadataBytes',
  ) => Number(environment[ENVIRONMENT[name]] ?? DEFAULT_SETTINGS[name]);
  return {
    client: createClient(options),
    name: environment[ENVIRONMENT.table] ?? '',
    wideSources: new Set(),
    signing: createSigning(environment[ENVIRONMENT.publicKeys] ?? '', signer),
    settings: {
      stage: environment[ENVIRONMENT.stage] ?? DEFAULT_SETTINGS.stage,
      shards: numberOf('shards'),
      accessDays: numberOf('accessDays'),
      auditDays: numberOf('auditDays'),
      readDays: numberOf('readDays'),
      compiledBytes: numberOf('compiledBytes'),
      requestMetadataBytes: numberOf('requestMetadataBytes'),
    },
  };
};
