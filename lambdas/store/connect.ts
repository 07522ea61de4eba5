import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DEFAULT_SETTINGS, ENVIRONMENT, type Settings } from '../../contract/functions/environment.ts';
import { createSigning, type Signer } from '../core/signing.ts';
import { createClient } from './client.ts';
import type { Table } from './table.ts';

const settingsIn = (environment: NodeJS.ProcessEnv): Settings => {
  const settings = Object.entries(DEFAULT_SETTINGS).map(([name, byDefault]) => {
    const value = environment[ENVIRONMENT[name as keyof Settings]] ?? byDefault;
    return [name, typeof byDefault === 'number' ? Number(value) : value];
  });
  return Object.fromEntries(settings);
};

/**
 * Connects to the table that the environment names (`contract/functions/environment.ts`). Without a signer, the function
 * only verifies rows.
 */
export const connectTable = (
  environment: NodeJS.ProcessEnv = process.env,
  options: DynamoDBClientConfig = {},
  signer?: Signer,
): Table => ({
  client: createClient(options),
  name: environment[ENVIRONMENT.table] ?? '',
  wideSources: new Set(),
  signing: createSigning(environment[ENVIRONMENT.publicKeys] ?? '', signer),
  settings: settingsIn(environment),
});
