import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DEFAULT_SETTINGS, ENVIRONMENT } from '../../../contract/functions/environment.ts';
import type { Change } from '../../../lambdas/store/audit.ts';
import { createClient } from '../../../lambdas/store/client.ts';
import { connectTable, type Table } from '../../../lambdas/store/table.ts';
import { REGION } from '../../../local/aws/account.ts';
import { startEngine } from '../../../local/engine/engine.ts';
import { ENGINE_CREDENTIALS, ensureTable } from '../../../local/engine/table.ts';
import { createTestSigning } from './signing.ts';

export const TEST_CREDENTIALS = ENGINE_CREDENTIALS;

export interface TestTable {
  readonly table: Table;
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
}

/** A fresh table on the real engine, in memory. */
export const openTestTable = async (): Promise<TestTable> => {
  const engine = await startEngine();
  const name = 'cuevault-test';
  await ensureTable(engine.endpoint, name);
  const table = connectTable(
    { [ENVIRONMENT.table]: name, [ENVIRONMENT.stage]: 'test' },
    { endpoint: engine.endpoint, region: REGION, credentials: TEST_CREDENTIALS },
  );
  return {
    table: { ...table, settings: { ...DEFAULT_SETTINGS, stage: 'test' }, signing: createTestSigning() },
    endpoint: engine.endpoint,
    stop: async () => {
      table.documents.destroy();
      await engine.stop();
    },
  };
};

/** Another client of the same table, for calls with attributes instead of documents. */
export const clientOf = ({ documents: { config } }: Table): DynamoDBClient => {
  const { credentials, endpoint, region, requestHandler } = config;
  return createClient({
    ...{ credentials, region, requestHandler },
    ...(endpoint === undefined ? {} : { endpoint }),
  });
};

let requests = 0;

/** A change by a test operator, at the given time or now. */
export const changeAt = (at: Date = new Date()): Change => ({
  at,
  actor: 'operator@example.com',
  requestId: `request-${++requests}`,
  isAdmin: true,
});
