import { readFileSync } from 'node:fs';
import { DynamoDBStreamSchema } from '@aws-lambda-powertools/parser/schemas/dynamodb';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { putItem } from '../../../lambdas/store/table.ts';
import { REGION } from '../../../local/aws/account.ts';
import { type Engine, startEngine } from '../../../local/engine/engine.ts';
import { ENGINE_CREDENTIALS, ensureTable } from '../../../local/engine/table.ts';
import { type Feed, startFeed } from '../../../local/feed/feed.ts';

const TABLE = 'batches';

interface Batch {
  readonly Records: readonly {
    readonly dynamodb: {
      readonly Keys: { readonly sk: { readonly S: string } };
      readonly SequenceNumber: string;
    };
  }[];
}

let engine: Engine;
let feed: Feed;
let client: DynamoDBClient;
/** What the feed has scheduled: the test decides when it runs. */
const scheduled: (() => Promise<void>)[] = [];
const batches: string[][] = [];
const events: unknown[] = [];
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
    engineEndpoint: engine.endpoint,
    tableName: TABLE,
    file: undefined,
    onLog: () => undefined,
    onFailed: () => undefined,
    consumers: [{ id: 'usage-count', inserts: ['access'] }],
    invoke: async (_, event) => {
      events.push(event);
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

// biome-ignore lint/suspicious/noExplicitAny: what AWS sends
const namesOf = ({ dynamodb, ...record }: any) => [Object.keys(record).sort(), Object.keys(dynamodb).sort()];

test('records have the structure that Lambda passes on', () => {
  for (const event of events) expect(DynamoDBStreamSchema.safeParse(event).error).toBeUndefined();
  const { event } = JSON.parse(readFileSync('test/vectors/events/stream.json', 'utf8'));
  const documented = event.Records.find(({ eventName }: { eventName: string }) => eventName === 'INSERT');
  const [made] = (events[0] as Batch).Records;
  expect(namesOf(made)).toEqual(namesOf(documented));
});

test('a record that always fails is put aside, and neither its consumer nor the others wait for it', async () => {
  const tableName = 'poisoned';
  await ensureTable(engine.endpoint, tableName);
  const consumed: Record<string, string[][]> = { healthy: [], poisoned: [], partly: [] };
  const failed: [string, string][] = [];
  const each = await startFeed({
    engineEndpoint: engine.endpoint,
    tableName,
    file: undefined,
    onLog: () => undefined,
    consumers: Object.keys(consumed).map((id) => ({ id, inserts: ['access'] })),
    invoke: async (id, event) => {
      const { Records } = event as Batch;
      const keys = Records.map(({ dynamodb }) => dynamodb.Keys.sk.S);
      consumed[id]?.push(keys);
      const poison = Records.find(({ dynamodb }) => dynamodb.Keys.sk.S === 'poison');
      if (poison === undefined || id === 'healthy') return { reply: null };
      if (id === 'poisoned') return { failure: 'It always fails.' };
      return { reply: { batchItemFailures: [{ itemIdentifier: poison.dynamodb.SequenceNumber }] } };
    },
    onFailed: (id, record) => {
      failed.push([id, (record as Batch['Records'][number]).dynamodb.Keys.sk.S]);
    },
    later: () => undefined,
    retryMs: 1,
  });
  const keys = ['1', 'poison', '2', '3'];
  for (const sk of keys) await putItem({ client, name: tableName }, { pk: 'ACCESS#p', sk });
  await each.settled();
  await each.stop();
  expect(consumed.healthy).toEqual([keys]);
  expect(failed.sort()).toEqual([
    ['partly', 'poison'],
    ['poisoned', 'poison'],
  ]);
  for (const id of ['poisoned', 'partly']) expect(new Set(consumed[id]?.flat())).toEqual(new Set(keys));
  expect(
    consumed.poisoned?.filter(([first, ...more]) => first === 'poison' && more.length === 0),
  ).toHaveLength(5);
  expect(consumed.partly?.flat().filter((sk) => sk === '1')).toHaveLength(1);
});
