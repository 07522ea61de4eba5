import { BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { DEFAULT_SETTINGS, ENVIRONMENT } from '../../../contract/functions/environment.ts';
import type { Actor, Change } from '../../../lambdas/store/audit.ts';
import { connectTable } from '../../../lambdas/store/connect.ts';
import { queryItems } from '../../../lambdas/store/queries.ts';
import type { Connection, Item } from '../../../lambdas/store/table.ts';
import { type Vault, vaultIn } from '../../../lambdas/store/vault/vault.ts';
import { REGION } from '../../../local/aws/account.ts';
import { startEngine } from '../../../local/engine/engine.ts';
import { ENGINE_CREDENTIALS, ensureTable } from '../../../local/engine/table.ts';
import { createTestSigning } from './signing.ts';

export const TEST_CREDENTIALS = ENGINE_CREDENTIALS;

export interface TestTable {
  /** With the vault of the default environment. */
  readonly table: Vault;
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
    table: {
      ...vaultIn(table),
      settings: { ...DEFAULT_SETTINGS, stage: 'test' },
      signing: createTestSigning(),
    },
    endpoint: engine.endpoint,
    stop: async () => {
      table.client.destroy();
      await engine.stop();
    },
  };
};

/** The table of this test file, once `withTestTable` has opened it. */
export let table: Vault;

/** Opens a table before the tests of a file, or before each of them, and stops its engine afterwards. */
export const withTestTable = (before = beforeAll, after = afterAll): void => {
  let opened: TestTable | undefined;
  before(async () => {
    opened = await openTestTable();
    ({ table } = opened);
  });
  after(() => opened?.stop());
};

/** The rows of a partition. */
export const rowsIn = (from: Connection, pk: string): Promise<Item[]> =>
  Array.fromAsync(
    queryItems(from, { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } }),
  );

/** Adds items without verifying anything. */
export const addItems = async ({ client, name }: Connection, items: readonly Item[]): Promise<void> => {
  for (let start = 0; start < items.length; start += 25) {
    const puts = items
      .slice(start, start + 25)
      .map((item) => ({ PutRequest: { Item: marshall(item, { removeUndefinedValues: true }) } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [name]: puts } }));
  }
};

/** The items of a small table. */
export const allItems = async ({ client, name }: Connection): Promise<Item[]> => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: name }));
  return Items.map((item) => unmarshall(item));
};

/** An operator with this address. */
export const actorNamed = (name: string): Actor => ({ id: `id of ${name}`, name });

/** Expects that something is refused with a code, and a message that contains the text. */
export const expectRefused = (work: Promise<unknown>, code: string, text = ''): Promise<void> =>
  expect(work).rejects.toMatchObject({ code, message: expect.stringContaining(text) });

let requests = 0;

/** A change by a test operator, at the given time or now. */
export const changeAt = (at: Date = new Date()): Change => ({
  at,
  actor: actorNamed('operator@example.com'),
  requestId: `request-${++requests}`,
  isAdmin: true,
});
