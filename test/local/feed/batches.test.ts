import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { putItem } from '../../../lambdas/store/table.ts';
import { REGION } from '../../../local/aws/account.ts';
import { type Engine, startEngine } from '../../../local/engine/engine.ts';
import { ENGINE_CREDENTIALS, ensureTable } from '../../../local/engine/table.ts';
import { type Feed, startFeed } from '../../../local/feed/feed.ts';

const TABLE = 'batches';

interface Batch {
  readonly Records: readonly {
    readonly dynamodb: { readonly Keys: { readonly sk: { readonly S: string } } };
  }[];
}

let engine: Engine;
let feed: Feed;
let client: DynamoDBClient;
/** What the feed has scheduled: the test decides when it runs. */
const scheduled: (() => Promise<void>)[] = [];
const batches: string[][] = [];
let during: () => Promise<void> = async () => undefined;

const write = async (sk: string): Promise<void> => {
  await putItem({ client, name: TABLE }, { pk: 'ACCESS#p', sk });
  feed.wrote();
};

beforeAll(async () => {
  engine = await startEngine();
  await ensureTable(engine.endpoint, TABLE);
  client = new DynamoDBClient({ endpoint: engine.endpoint, region: REGION, credentials: ENGINE_CREDENTIALS });
  feed = await startFeed({
    ...{ engineEndpoint: engine.endpoint, tableName: TABLE, file: undefined, onLog: () => undefined },
    consumers: [{ operationId: 'usage-count', patterns: [{}] }],
    invoke: async (_, event) => {
      batches.push((event as Batch).Records.map(({ dynamodb }) => dynamodb.Keys.sk.S));
      await during();
      return { reply: null };
    },
    later: (run) => {
      scheduled.push(run);
      return setTimeout(() => undefined);
    },
  });
});
afterAll(async () => {
  await feed.stop();
  client.destroy();
  await engine.stop();
});

test('records that are written while a batch is consumed go into the next one', async () => {
  await write('1');
  during = async () => {
    await write('2');
    await write('3');
  };
  await scheduled.shift()?.();
  expect(batches).toEqual([['1']]);
  expect(scheduled).toHaveLength(1);

  during = async () => undefined;
  await scheduled.shift()?.();
  expect(batches).toEqual([['1'], ['2', '3']]);

  // The stream may hold more than a batch: it is read again until nothing is left.
  await scheduled.shift()?.();
  expect(batches).toHaveLength(2);
  expect(scheduled).toHaveLength(0);
});
